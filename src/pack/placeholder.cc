namespace alfred {}

#!/usr/bin/env python3
"""The plain registry in Python: rows in, refs out, through json. Prints its speed in MB/s.

    python_reference.py FILE    where FILE is a JSON array of recipe rows
"""
import json
import statistics
import sys
import time

TYPES = {"recipes": "recipe", "recipe_ingredients": "ri", "ingredients": "ingredient",
         "users": "user"}
LINKS = {"recipes": (("user_id", "users"), ("parent_recipe_id", "recipes")),
         "recipe_ingredients": (("recipe_id", "recipes"), ("ingredient_id", "ingredients"))}
NESTED = {"recipes": ("recipe_ingredients",), "recipe_ingredients": ()}


class Registry:
    """Two dictionaries and a counter for each type."""

    def __init__(self):
        self.ref_to_uuid = {}
        self.uuid_to_ref = {}
        self.counters = {}

    def ref_of(self, table, uuid):
        ref = self.uuid_to_ref.get(uuid)
        if ref is None:
            kind = TYPES[table]
            number = self.counters.get(kind, 0) + 1
            self.counters[kind] = number
            ref = f"{kind}_{number}"
            self.ref_to_uuid[ref] = uuid
            self.uuid_to_ref[uuid] = ref
        return ref

    def translate_read_output(self, records, table):
        links, nested = LINKS[table], NESTED[table]
        translated = []
        for record in records:
            row = record.copy()
            row["id"] = self.ref_of(table, record["id"])
            for column, target in links:
                if record[column]:
                    row[column] = self.ref_of(target, record[column])
            for member in nested:
                row[member] = self.translate_read_output(record[member], member)
            translated.append(row)
        return translated


def translate(text):
    rows = Registry().translate_read_output(json.loads(text), "recipes")
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    size = len(text.encode("utf-8"))
    seconds = []
    for _ in range(7):
        start = time.process_time()
        translate(text)
        seconds.append(time.process_time() - start)
    print(f"{size / 1e6 / statistics.median(seconds):.1f}")


if __name__ == "__main__":
    main()

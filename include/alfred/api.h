// Symbol visibility of libalfred: everything is hidden but what says ALFRED_API.
#pragma once

#define ALFRED_API __attribute__((visibility("default")))

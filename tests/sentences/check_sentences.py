#!/usr/bin/env python3
"""Plays the everyday sentences of a pack and holds what came of each against what is expected (README.md here).

check_sentences.py --play PROGRAM --pack FOLDER --cases FILE [--least N] [--every N] [--show] [--only TEXT]
Prints every miss and the accuracy; fails when fewer than --least (default: all) come out right. --every 3 takes every third.
"""
import argparse
import datetime
import json
import re
import subprocess
import sys
import tempfile
import tomllib

TODAY = datetime.date(2026, 3, 2)
UNITS = {"g": ("w", 1), "kg": ("w", 1000), "lb": ("w", 453.592), "oz": ("w", 28.35), "ml": ("v", 1), "l": ("v", 1000),
         "cl": ("v", 10), "dl": ("v", 100), "tsp": ("v", 4.929), "tbsp": ("v", 14.787), "cup": ("v", 236.588)}
SINGLE = {"preferences"}


def words(text):
    out = []
    for word in re.findall(r"[a-z0-9]+", str(text).lower().replace("'s", "")):
        if word.endswith("ies") and len(word) > 4:
            word = word[:-3] + "y"
        elif word.endswith("oes"):
            word = word[:-2]
        elif word.endswith("s") and not word.endswith("ss") and len(word) > 3:
            word = word[:-1]
        out.append(word)
    return out


def day(text):
    text = text.strip()
    match = re.fullmatch(r"([+-]\d+)d", text)
    if match:
        return TODAY + datetime.timedelta(days=int(match.group(1)))
    match = re.fullmatch(r"next (\w+)", text)
    if match:
        names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        ahead = (names.index(match.group(1)) - TODAY.weekday()) % 7 or 7
        return TODAY + datetime.timedelta(days=ahead)
    return None


def moment_fits(wanted, had):
    """A day, or an instant such as '+1d 07:00' or 'now+20m'."""
    if had is None:
        return False
    match = re.fullmatch(r"now\+(\d+)m", wanted)
    if match:
        want = datetime.datetime(2026, 3, 2, 10, 0) + datetime.timedelta(minutes=int(match.group(1)))
        return had.startswith(want.strftime("%Y-%m-%dT%H:%M"))
    match = re.fullmatch(r"(.*?)\s+(\d\d:\d\d)", wanted)
    if match and day(match.group(1)):
        return had.startswith(f"{day(match.group(1)).isoformat()}T{match.group(2)}")
    return day(wanted) is not None and had.startswith(day(wanted).isoformat())


def value_fits(field, wanted, had):
    if isinstance(wanted, bool) or wanted is None:
        return had == wanted
    if isinstance(wanted, (int, float)):
        return isinstance(had, (int, float)) and not isinstance(had, bool) and abs(had - wanted) < 1e-3
    if isinstance(wanted, list):
        return isinstance(had, list) and sorted(" ".join(words(x)) for x in had) == sorted(" ".join(words(x)) for x in wanted)
    if isinstance(had, dict):
        had = had.get("label", "")
    if day(str(wanted).split(" ")[0]) or day(str(wanted)) or str(wanted).startswith("now+"):
        return moment_fits(str(wanted), had)
    if had is None:
        return False
    if field in ("name", "title"):
        return set(words(wanted)) <= set(words(had))
    return words(wanted) == words(had)


def amount_fits(wanted, had):
    """Quantities as amounts: 0.5 l is 500 ml."""
    number, unit = had.get("quantity"), had.get("unit") or "piece"
    want, want_unit = wanted.get("quantity"), wanted.get("unit")
    if number is None:
        return False
    if want_unit is None or want_unit == unit:
        return abs(number - want) < 1e-3
    a, b = UNITS.get(unit), UNITS.get(want_unit)
    return bool(a and b and a[0] == b[0] and abs(number * a[1] - want * b[1]) < 0.01 * max(1, want * b[1]))


def row_fits(wanted, had):
    rest = dict(wanted)
    if isinstance(rest.get("quantity"), (int, float)):
        if not amount_fits(rest, had):
            return False
        rest.pop("quantity")
        rest.pop("unit", None)
    return all(value_fits(field, value, had.get(field)) for field, value in rest.items())


def label(table, row):
    if table in SINGLE:
        return "*"
    if table == "meal_plans":
        return f"{row.get('date')} {row.get('meal_type')}"
    link = {"cooking_log": "recipe_id", "loans": "book_id"}.get(table)
    if link:
        return str(row.get(link))
    if table == "recipe_ingredients":
        return f"{row.get('recipe_id')}: {row.get('name')}"
    return str(row.get("name") or row.get("title"))


def label_fits(table, wanted, row):
    if table == "meal_plans":
        when, meal = wanted.rsplit(" ", 1)
        return row.get("date") == day(when).isoformat() and row.get("meal_type") == meal
    return wanted == "*" or words(wanted) == words(label(table, row))


def difference(before, after):
    """Per table: rows that are new, rows that are gone, as multisets."""
    out = {}
    for table in after:
        old = [json.dumps(row, sort_keys=True) for row in before[table]]
        new = [json.dumps(row, sort_keys=True) for row in after[table]]
        gone = list(old)
        came = []
        for row in new:
            if row in gone:
                gone.remove(row)
            else:
                came.append(row)
        if gone or came:
            out[table] = ([json.loads(row) for row in gone], [json.loads(row) for row in came])
    return out


def check_rows(case, result, faults):
    changes = difference(result["before"], result["after"])
    parts = {"recipe_ingredients", "loans"}
    expected = set(case.get("adds", {})) | set(case.get("changes", {})) | set(case.get("removes", {}))
    for table in set(changes) | expected:
        gone, came = changes.get(table, ([], []))
        gone, came = list(gone), list(came)
        for wanted_label, values in case.get("changes", {}).get(table, {}).items():
            old = [row for row in gone if label_fits(table, wanted_label, row)]
            new = [row for row in came if row_fits(values, row)]
            if not old or not new:
                faults.append(f"{table}: {wanted_label} was to become {values}; came: {came}")
                continue
            gone.remove(old[0])
            came.remove(new[0])
        for wanted in case.get("adds", {}).get(table, []):
            new = [row for row in came if row_fits(wanted, row)]
            if not new:
                faults.append(f"{table}: no new row {wanted}; came: {came}")
                continue
            came.remove(new[0])
        for wanted_label in case.get("removes", {}).get(table, []):
            old = [row for row in gone if label_fits(table, wanted_label, row)]
            if not old:
                faults.append(f"{table}: {wanted_label} was to go; gone: {[label(table, r) for r in gone]}")
                continue
            gone.remove(old[0])
        follows = table not in expected and (table in parts or any(t in expected for t in ("recipes", "books", "members", "meal_plans")))
        if (gone or came) and not follows:
            faults.append(f"{table}: not expected: gone {[label(table, r) for r in gone]}, came {[label(table, r) for r in came]}")


def text_of(content):
    return " ".join(words(json.dumps(content)))


def has_part(content, name, members):
    names = [p.get("name", "") if isinstance(p, dict) else str(p) for p in content.get("ingredients", content.get("recipe_ingredients", []))]
    wanted = [words(m) for m in members.get(name, []) + [name]]
    return any(set(one) <= set(words(part)) for part in names for one in wanted if one)


def check_made(case, result, members, faults):
    makes = case.get("makes")
    if makes is None:
        return
    made = [a for a in result["artifacts"] if a["type"] == makes["type"]]
    if len(made) != makes["count"]:
        faults.append(f"made {len(made)} of {makes['count']}")
    for one in made:
        for name in makes.get("with", []):
            if makes["type"] == "recipe" and not has_part(one["content"], name, members):
                faults.append(f"{one['label']} has no {name}")
        for name in makes.get("without", []):
            if makes["type"] == "recipe" and has_part(one["content"], name, members):
                faults.append(f"{one['label']} has {name}")


def check_constraints(case, result, faults):
    for kind, wanted in case.get("constrains", {}).items():
        had = [" ".join(words(str(c["value"]).replace("_", " ").replace("-", " "))) for c in result["constraints"] if c["type"] == kind]
        if wanted is None:
            if had:
                faults.append(f"{kind} is still {had}")
            continue
        for one in wanted if isinstance(wanted, list) else [wanted]:
            if " ".join(words(str(one).replace("_", " ").replace("-", " "))) not in had:
                faults.append(f"{kind}: no {one} in {had}")


def check(case, result, members):
    faults = []
    reply = result["reply"].lower()
    for text in case.get("says", []):
        if text.lower() not in reply:
            faults.append(f"does not say {text!r}")
    for text in case.get("lacks", []):
        if text.lower() in reply:
            faults.append(f"says {text!r}")
    reads = case.get("reads", [])
    for table in [reads] if isinstance(reads, str) else reads:
        if table not in result["reads"]:
            faults.append(f"did not read {table}: {result['reads']}")
    if case.get("asks") is True and not result["asked"]:
        faults.append("asks nothing")
    if case.get("helps") and "for example" not in reply and "i know this" not in reply:
        faults.append("gives no help")
    check_rows(case, result, faults)
    check_made(case, result, members, faults)
    check_constraints(case, result, faults)
    return faults


def categories(pack):
    """Members of each category, also through what it includes."""
    try:
        with open(f"{pack}/categories.toml", "rb") as file:
            declared = {c["name"]: c for c in tomllib.load(file).get("category", [])}
    except FileNotFoundError:
        return {}

    def members(name):
        one = declared[name]
        out = list(one.get("members", []))
        for other in one.get("includes", []):
            out += members(other) + [other]
        return out
    return {name: members(name) for name in declared}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--play", required=True)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--cases", required=True)
    parser.add_argument("--least", type=int)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    cases = json.load(open(options.cases))
    members = categories(options.pack)
    wanted = [i for i, c in enumerate(cases)
              if i % options.every == 0 and (not options.only or re.search(options.only, c["kind"] + " " + c["say"]))]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as chosen:
        json.dump([cases[i] for i in wanted], chosen)
        chosen.flush()
        played = subprocess.run([options.play, options.pack, chosen.name], capture_output=True, text=True)
    results = [json.loads(line) for line in played.stdout.splitlines()]
    is_whole = played.returncode == 0 and len(results) == len(wanted)
    if not is_whole:  # a fault of the program, however many came out right before
        print(played.stderr, file=sys.stderr)
    right = 0
    for at, result in enumerate(results):
        case = cases[wanted[at]]
        faults = check(case, result, members)
        right += not faults
        if faults or options.show:
            print(f"[{case['kind']}] {' / '.join(case.get('after', []) + [case['say']])}")
            for fault in faults:
                print(f"    - {fault[:300]}")
            print("    > " + result["reply"].replace("\n", "\n    > ")[:700])
    print(f"{right} of {len(wanted)} come out right")
    return 0 if is_whole and right >= (options.least or len(wanted)) else 1


if __name__ == "__main__":
    sys.exit(main())

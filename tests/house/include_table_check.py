"""Compares the #include lines under src/, include/ and apps/ with the table in docs/architecture.md.

R1 a folder includes only what its row allows.
R2 every folder with sources has a row, and every row marked `yes` is a folder that CMake builds.
R3 neither the table nor the sources have a cycle.
R4 a public header belongs to one folder and includes only std, alfred/ and tl/expected.hpp.
R5 a heavy third-party header is included in at most one .cc and in no header.
R6 a database driver is reached from its folder of storage/ only: its header is included nowhere else, and
   no other file has a function of it that runs SQL.
"""
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
STANDARD = re.compile(r"^[a-z_0-9]+$")
CMAKE_FOLDER = re.compile(r"^alfred_folder\(([^)]*)\)", re.MULTILINE)
HEAVY = ("CLI/", "toml++/", "toml.hpp", "boost/beast")
# folder -> the driver's header, and its functions that take SQL
DRIVERS = {
    "src/storage/sqlite": ("sqlite3.h", re.compile(r"\bsqlite3_(?:prepare|exec|get_table)\w*")),
    "src/storage/postgres": ("libpq-fe.h", re.compile(r"\bPQ(?:send)?(?:[eE]xec|[pP]repare|[qQ]uery)\w*")),
}
PUBLIC_THIRD_PARTY = {"tl/expected.hpp"}


class Table:
    def __init__(self, page):
        self.allowed, self.is_built, self.header_folder, self.problems = {}, {}, {}, []
        for folder, today, headers, _, may in tree.table_after(page, "include-table"):
            folder = folder.strip("`")
            self.is_built[folder] = today == "yes"
            self.allowed[folder] = set(may.replace("`", "").replace("–", "").split())
            for header in headers.replace("`", "").replace("–", "").split():
                if header in self.header_folder:
                    self.problems.append("%s belongs to two folders in the table" % header)
                self.header_folder[header] = folder
        for folder, names in self.allowed.items():
            for name in sorted(names - set(self.allowed)):
                self.problems.append("the row of %s allows %s, which has no row" % (folder, name))

    def folder_of(self, path):
        """The row a path below src/ belongs to: the longest folder name that begins it."""
        parts = path.split("/")[:-1]
        while parts and "/".join(parts) not in self.allowed:
            parts.pop()
        return "/".join(parts) or None


def cycle(edges):
    """One cycle of the graph as a list of names, or None."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        path.append(name)
        for target in sorted(edges.get(name, ())):
            found = visit(target)
            if found:
                return found
        done.add(path.pop())
        return None

    for start in sorted(edges):
        found = visit(start)
        if found:
            return found
    return None


def owner_of(table, relative):
    top, rest = relative.parts[0], "/".join(relative.parts[1:])
    if top == "apps":
        return "apps"
    if top == "include":
        return table.header_folder.get(relative.name)
    return table.folder_of(rest)


def target_of(table, name):
    if name.startswith("alfred/"):
        return table.header_folder.get(name[len("alfred/"):])
    return table.folder_of(name)


def public_header_problems(relative, includes):
    for kind, name in includes:
        if kind == '"' and not name.startswith("alfred/"):
            yield "%s: a public header includes \"%s\"; only alfred/ is installed" % (relative, name)
        if kind == "<" and not STANDARD.match(name) and name not in PUBLIC_THIRD_PARTY:
            yield "%s: a public header includes <%s>; users would need it too" % (relative, name)


def edge_problems(table, relative, owner, includes, edges):
    for kind, name in includes:
        if kind == "<":
            continue
        target = target_of(table, name)
        if target is None:
            yield "%s: includes \"%s\", which belongs to no folder of the table" % (relative, name)
        elif target != owner:
            edges.setdefault(owner, set()).add(target)
            if target not in table.allowed[owner]:
                yield "%s: %s may not include %s (\"%s\")" % (relative, owner, target, name)


def heavy_problems(users):
    for header, files in sorted(users.items()):
        for one in files:
            if one.suffix != ".cc":
                yield "%s: includes <%s…>; that belongs in one .cc" % (one, header)
        if len(files) > 1:
            yield "<%s…> is included in %d files: %s" % (header, len(files),
                                                        ", ".join(map(str, files)))


def driver_problems(relative, text, includes):
    for folder, (header, functions) in DRIVERS.items():
        if relative.as_posix().startswith(folder + "/"):
            continue
        if any(name == header or name.endswith("/" + header) for _, name in includes):
            yield "%s: includes <%s>, which belongs in %s" % (relative, header, folder)
        for name in sorted(set(functions.findall(text))):
            yield "%s: names %s, which belongs in %s" % (relative, name, folder)


def cmake_problems(table, cmake):
    built = set()
    for match in CMAKE_FOLDER.finditer(cmake):
        folder, *uses = match.group(1).split()
        built.add(folder)
        for name in uses:
            if name not in table.allowed.get(folder, ()):
                yield "CMakeLists.txt: %s links %s, which its row does not allow" % (folder, name)
    marked = {folder for folder, is_built in table.is_built.items() if is_built} - {"apps"}
    for folder in sorted(built ^ marked):
        yield "%s: `today` in the table and alfred_folder() in CMakeLists.txt differ" % folder


def problems(root):
    table = Table(tree.read(root, "docs/architecture.md"))
    found, edges, heavy = list(table.problems), {}, {}
    for relative in tree.text_files(root, "src", "include", "apps"):
        if relative.suffix not in (".h", ".cc"):
            continue
        text = tree.read(root, relative)
        includes = INCLUDE.findall(text)
        found += driver_problems(relative, text, includes)
        for header in HEAVY:
            if any(name.startswith(header) for _, name in includes):
                heavy.setdefault(header, []).append(relative)
        owner = owner_of(table, relative)
        if owner is None:
            found.append("%s: belongs to no folder of the table" % relative)
            continue
        found += edge_problems(table, relative, owner, includes, edges)
        if relative.parts[0] == "include":
            found += public_header_problems(relative, includes)
    found += heavy_problems(heavy)
    found += cmake_problems(table, tree.read(root, "CMakeLists.txt"))
    for what, graph in (("the table", table.allowed), ("the sources", edges)):
        loop = cycle(graph)
        if loop:
            found.append("%s: a cycle, %s" % (what, " -> ".join(loop)))
    return found


if __name__ == "__main__":
    options = tree.arguments(__doc__).parse_args()
    sys.exit(tree.report("include table", problems(options.root)))

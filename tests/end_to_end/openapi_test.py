"""openapi_test.py ALFRED PACKS: /openapi.json is true of the running server.

Every route of it is asked and answers as it says; every answer, error or not, follows its schema; and no key is in
any of them.
"""
import json
import re
import sqlite3
import unittest

import chat_answers
from served import Served

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


class Checker:
    """As much of JSON Schema as the description uses; another keyword is an error of the test."""
    KNOWN = {"type", "required", "properties", "additionalProperties", "items", "enum", "pattern", "$ref",
             "description", "maxProperties", "minLength", "maxLength", "anyOf"}

    def __init__(self, description):
        self.schemas = description["components"]["schemas"]

    def check(self, schema, value, path="$"):
        unknown = set(schema) - self.KNOWN
        assert not unknown, "%s: the test does not know %s" % (path, unknown)
        if "$ref" in schema:
            self.check(self.schemas[schema["$ref"].rsplit("/", 1)[1]], value, path)
        assert "anyOf" not in schema or any(self.fits(one, value) for one in schema["anyOf"]), "%s: %r" % (path, value)
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        right = [kind for kind in kinds if isinstance(value, TYPES[kind]) and
                 (kind == "boolean" or not isinstance(value, bool))]
        assert not kinds or right, "%s: %r is no %s" % (path, value, kinds)
        assert "enum" not in schema or value in schema["enum"], "%s: %r" % (path, value)
        if isinstance(value, str):
            assert re.search(schema.get("pattern", ""), value), "%s: %r" % (path, value)
        if isinstance(value, list):
            for number, one in enumerate(value):
                self.check(schema.get("items", {}), one, "%s[%d]" % (path, number))
        if isinstance(value, dict):
            self.check_object(schema, value, path)

    def fits(self, schema, value):
        try:
            self.check(schema, value)
        except AssertionError:
            return False
        return True

    def check_object(self, schema, value, path):
        members = schema.get("properties", {})
        missing = set(schema.get("required", [])) - set(value)
        assert not missing, "%s: without %s" % (path, missing)
        more = set(value) - set(members)
        assert not more or schema.get("additionalProperties", True), "%s: with %s" % (path, more)
        assert len(value) <= schema.get("maxProperties", len(value)), path
        for name, one in value.items():
            self.check(members.get(name, {}), one, "%s.%s" % (path, name))


class OpenApi(Served):
    def setUp(self):
        super().setUp()
        recording = self.dir / "answers.jsonl"
        recording.write_text(chat_answers.lines(chat_answers.add_author("Ann")), encoding="utf-8")
        self.start("--replay", str(recording))
        self.description = self.server.get("/openapi.json").json
        self.checker = Checker(self.description)
        self.session = self.server.session()
        self.said = []

    def fill(self, path, turn):
        return path.replace("{session}", self.session).replace("{turn}", turn)

    def ask(self, method, path, operation, turn, body):
        answer = self.server.ask(method.upper(), self.fill(path, turn), body)
        responses = operation["responses"]
        known = responses.get(str(answer.status), responses["default"])
        kind = answer.headers["Content-Type"].split(";")[0]
        self.assertIn(kind, known["content"], operation["operationId"])
        if kind == "application/json":
            self.checker.check(known["content"][kind]["schema"], answer.json, operation["operationId"])
        self.said.append(answer.body)
        return answer

    NAMED = [{"field": "id", "op": "=", "value": "author_1"}]
    BODIES = {"TurnRequest": {"message": "add Ann"}, "AnswerRequest": {"ask": 1, "text": "x"},
              "ResumeRequest": {}, "Nothing": {}, "ReadCall": {"table": "authors", "count": True},
              "CreateCall": {"table": "authors", "data": [{"name": "Eve"}]},
              "UpdateCall": {"table": "authors", "filters": NAMED, "data": {"name": "Zoe"}},
              "DeleteCall": {"table": "authors", "filters": NAMED, "dry_run": True},
              "QueryCall": {"sql": "SELECT name FROM authors", "limit": 3}}
    # What there is nothing to do for in this session answers with an error that is expected.
    REFUSED = {"answer_turn": 409, "resume_turn": 409}

    def test_every_route_answers_as_it_is_described(self):
        self.assertEqual(self.description["openapi"], "3.1.0")
        turn = self.server.post(self.server.turns(self.session), {"message": "add Ann"}).json["id"]
        asked = 0
        for path, methods in self.description["paths"].items():
            if path.startswith("/inbox") or path == "/mcp":
                continue  # inbox_http_test.py, and below
            for method, operation in methods.items():
                body = None
                if "requestBody" in operation:
                    schema = operation["requestBody"]["content"]["application/json"]["schema"]
                    body = self.BODIES[schema["$ref"].rsplit("/", 1)[1]]
                    self.checker.check(schema, body)
                name = operation["operationId"]
                answer = self.ask(method, path, operation, turn, body)
                if name in self.REFUSED:
                    self.assertGreaterEqual(answer.status, 400, name)
                    self.assertLess(answer.status, 500, name)
                else:
                    self.assertIn(str(answer.status), operation["responses"], (name, answer.body))
                asked += 1
        self.assertGreaterEqual(asked, 24)

    def test_a_key_is_promised_where_it_is_held(self):
        keyed = {operation["operationId"] for methods in self.description["paths"].values()
                 for operation in methods.values()
                 if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", []))}
        self.assertLessEqual({"start_session", "start_turn", "create_records", "update_records", "delete_records"} &
                             {one["operationId"] for methods in self.description["paths"].values()
                              for one in methods.values()}, keyed)
        self.assertFalse(keyed & {"read_records", "query_records", "answer_turn", "resume_turn", "cancel_turn"})

    def test_a_record_call_takes_what_is_described_and_nothing_else(self):
        schemas = self.description["components"]["schemas"]
        for tool in ("read", "create", "update", "delete", "query"):
            path = "/v1/sessions/%s/records/%s" % (self.session, tool)
            call = schemas[tool.capitalize() + "Call"]
            answer = self.server.post(path, {**self.BODIES[tool.capitalize() + "Call"], "other": 1})
            self.assertEqual(answer.json["error"]["code"], "schema", answer.body)
            self.assertLessEqual(set(answer.json["error"]["allowed"]), set(call["properties"]), tool)
            self.assertLessEqual(set(call["properties"]) - {"batch"}, set(answer.json["error"]["allowed"]), tool)

    def test_which_rows_are_meant_is_said_by_refs_or_by_filters(self):
        for tool, body in (("update", {"table": "authors", "data": {"name": "Zoe"}}), ("delete", {"table": "authors"})):
            call = self.description["components"]["schemas"][tool.capitalize() + "Call"]
            path = "/v1/sessions/%s/records/%s" % (self.session, tool)
            self.assertFalse(self.checker.fits(call, body))
            self.assertEqual(self.server.post(path, body).json["error"]["code"], "filter_required")
            self.assertTrue(self.checker.fits(call, {**body, "refs": ["author_99"]}))
            self.assertEqual(self.server.post(path, {**body, "refs": ["author_99"]}).json["error"]["code"], "ref_unknown")

    def test_what_is_read_of_a_header_and_a_message_is_described(self):
        watch = self.description["paths"]["/v1/sessions/{session}/turns/{turn}/events"]["get"]
        self.assertIn(("Last-Event-ID", "header"), [(one["name"], one["in"]) for one in watch["parameters"]])
        long = {"message": "\u00e9" * 32769}  # bytes count, and that is said
        self.assertEqual(self.server.post(self.server.turns(self.session), long).status, 413)
        message = self.description["components"]["schemas"]["TurnRequest"]["properties"]["message"]
        self.assertIn("65536 bytes", message["description"])

    def test_mcp_is_described(self):
        error = {"$ref": "#/components/schemas/Error"}
        for status, headers in (("401", {"Authorization": None}), ("403", {"Origin": "null"})):
            shut = self.server.post("/mcp", {}, **headers)
            described = self.description["paths"]["/mcp"]["post"]["responses"][status]
            self.assertEqual(str(shut.status), status)
            self.assertEqual(described["content"]["application/json"]["schema"], error)
            self.checker.check(error, shut.json)
        methods = self.description["paths"]["/mcp"]
        self.assertEqual(set(methods), {"post", "get", "delete"})
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
        answer = self.server.post("/mcp", body, Accept="application/json, text/event-stream")
        self.assertEqual(answer.status, 200, answer.body)
        session = answer.headers["Mcp-Session-Id"]
        told = self.server.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"},
                                **{"Mcp-Session-Id": session})
        self.assertIn(str(told.status), methods["post"]["responses"])
        self.assertEqual(self.server.ask("DELETE", "/mcp", None, **{"Mcp-Session-Id": session}).status, 200)

    def test_errors_follow_their_schema(self):
        error = {"$ref": "#/components/schemas/Error"}
        for answer in (self.server.get("/nowhere"), self.server.get("/v1/sessions/ses_x"),
                       self.server.get("/v1/sessions?limit=x"), self.server.get("/v1/sessions", Host="evil"),
                       self.server.get("/v1/sessions", Authorization=None),
                       self.server.post(self.server.turns(self.session), {"message": 1}),
                       self.server.ask("PUT", "/v1/sessions"), self.server.get("/" + "a" * 9000)):
            self.assertGreaterEqual(answer.status, 400)
            self.checker.check(error, answer.json)

    def test_names_are_unique_and_the_table_has_no_gaps(self):
        operations = [one for path in self.description["paths"].values() for one in path.values()]
        names = [one["operationId"] for one in operations]
        self.assertEqual(len(set(names)), len(names))
        used = set(re.findall(r'#/components/schemas/(\w+)', json.dumps(self.description)))
        self.assertEqual(used, set(self.description["components"]["schemas"]))


class Keys(Served):
    PACK = "kitchen"
    UUID = re.compile(rb"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}")

    def test_D4_no_key_is_in_any_answer(self):
        server = self.start()
        session = server.session()
        base = "/v1/sessions/" + session
        said = []
        said.append(server.post(base + "/turns", {"message": "show me three recipes"}))
        turn = said[-1].json["id"]
        said.append(server.post(base + "/turns", {"message": "add milk to my shopping list"},
                                Accept="text/event-stream"))
        for body in ({"table": "recipes", "include": ["recipe_ingredients"], "limit": 5}, {"table": "nothing"}):
            said.append(server.post(base + "/records/read", body))
        said.append(server.post(base + "/records/query", {"sql": "SELECT id, name FROM recipes"}))
        for path in ("", "/turns", "/journal?limit=1000", "/working-set", "/batches", "/constraints", "/export",
                     "/turns/%s/prompts" % turn, "/turns/%s/known" % turn):
            said.append(server.get(base + path))
        for answer in said:
            self.assertLess(answer.status, 500, answer.body)
        rows = sqlite3.connect(self.home / "kitchen.db")
        keys = [key for key, in rows.execute("SELECT id FROM recipes")]
        rows.close()
        self.assertTrue(self.UUID.fullmatch(keys[0].encode()))
        for answer in said:
            # A journal's hashes and seeds are hexadecimal too, and longer than any key.
            body = re.sub(rb"[0-9a-f]{64}", b"", answer.body)
            self.assertIsNone(self.UUID.search(body))
            for key in keys:
                self.assertNotIn(key.encode(), body)


if __name__ == "__main__":
    unittest.main()

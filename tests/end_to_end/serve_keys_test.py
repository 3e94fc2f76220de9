"""serve_keys_test.py ALFRED PACKS: idempotency keys over HTTP (G13), wherever rows and state are kept.

In each place the same tests: Alfred's own file, a pack in PostgreSQL with rows and state in one database, and somebody's
own PostgreSQL database with the state in a file beside it.
"""
import os
import sqlite3
import subprocess
import threading
import unittest

from postgres_server import PostgresServer
from served import ALFRED, PACKS, Served


class InOwnFile(Served):
    def begin(self):
        return self.start()

    def statement(self, sql):
        """On rows or ops, wherever they are; the rows it gives."""
        base = sqlite3.connect(self.home / "bookshelf.db")
        rows = base.execute(sql).fetchall()
        base.commit()
        base.close()
        return rows

    def ops(self, sql):
        return self.statement(sql)

    def count(self, name):
        return int(self.statement("SELECT count(*) FROM authors WHERE name = '%s'" % name)[0][0])

    @staticmethod
    def put(server, path, name, key):
        return server.post(path, {"table": "authors", "data": [{"name": name}]}, Idempotency_Key=key)

    def test_G13_a_key_is_of_one_request_and_has_one_effect(self):
        server = self.begin()
        session, other = server.session(), server.session()
        path = "/v1/sessions/%s/records/create" % session
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.put(server, path, "Ann", "k-1")))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual({one.status for one in answers}, {200, 409}, [one.body for one in answers])
        done = {one.body for one in answers if one.status == 200}
        self.assertEqual(len(done), 1)
        self.assertEqual(self.put(server, path, "Ann", "k-1").body, done.pop())
        self.assertEqual(self.count("Ann"), 1)
        for refused in (self.put(server, path, "Bob", "k-1"),
                        self.put(server, path.replace(session, other), "Ann", "k-1"),
                        server.post("/v1/sessions", {}, Idempotency_Key="k-1"),
                        server.post(server.turns(session), {"message": "hi"}, Idempotency_Key="k-1")):
            self.assertEqual((refused.status, refused.json["error"]["code"]), (422, "op_reused"), refused.body)
        self.assertEqual((self.count("Ann"), self.count("Bob")), (1, 0))
        made = [server.post("/v1/sessions", {}, Idempotency_Key="k-2").json["id"] for _ in range(2)]
        self.assertEqual(made[0], made[1])

    def test_G13_a_key_outlives_the_server(self):
        server = self.begin()
        path = "/v1/sessions/%s/records/create" % server.session()
        first = self.put(server, path, "Ann", "k-1")
        self.assertEqual(first.status, 200, first.body)
        server.stop()
        server = self.begin()
        self.assertEqual(self.put(server, path, "Ann", "k-1").body, first.body)
        self.assertEqual(self.put(server, path, "Bob", "k-1").status, 422)
        self.assertEqual((self.count("Ann"), self.count("Bob")), (1, 0))

    def test_G13_keys_that_were_stored_before_they_were_claimed_still_hold(self):
        """Earlier versions kept what a request did under its key and path, and no claim of the key beside it."""
        server = self.begin()
        session = server.session()
        path = "/v1/sessions/%s/records/create" % session
        turn = {"message": "hello", "interpreter": "caller"}
        first = self.put(server, path, "Ann", "k-1")
        begun = server.post(server.turns(session), turn, Idempotency_Key="k-2")
        self.assertEqual((first.status, begun.status), (200, 200), first.body + begun.body)
        server.stop()
        kept = int(self.ops("SELECT count(*) FROM alfred_ops")[0][0])
        self.ops("DELETE FROM alfred_ops WHERE answer = ''")
        self.assertGreaterEqual(kept - int(self.ops("SELECT count(*) FROM alfred_ops")[0][0]), 2)
        server = self.begin()
        self.assertEqual(self.put(server, path, "Ann", "k-1").body, first.body)
        self.assertEqual(self.put(server, path, "Bob", "k-1").status, 422)
        again = server.post(server.turns(session), turn, Idempotency_Key="k-2")
        self.assertEqual((again.json["id"], again.json["asks"]), (begun.json["id"], begun.json["asks"]))
        self.assertEqual((self.count("Ann"), self.count("Bob")), (1, 0))


class InPostgres(InOwnFile):
    """A pack in a database that is Alfred's own: rows, refs, journal and ops in it."""
    DATABASE = "shelf"

    @classmethod
    def setUpClass(cls):
        cls.postgres = PostgresServer()
        cls.addClassCleanup(cls.postgres.stop)

    def setUp(self):
        super().setUp()
        self.postgres.run("postgres", "DROP DATABASE IF EXISTS %s WITH (FORCE)" % self.DATABASE)
        self.postgres.run("postgres", "CREATE DATABASE " + self.DATABASE)
        self.prepare()

    def prepare(self):
        subprocess.run([ALFRED, "pack", "install", os.path.join(PACKS, "bookshelf"), "--db",
                        self.postgres.url(self.DATABASE)], check=True, capture_output=True,
                       env=dict(os.environ, ALFRED_HOME=str(self.home)))

    def begin(self):
        return self.start("--db", self.postgres.url(self.DATABASE))

    def statement(self, sql):
        return self.postgres.run(self.DATABASE, sql)

    def ops(self, sql):
        return self.statement(sql.replace("alfred_ops", "alfred.alfred_ops"))


class InTheirPostgres(InPostgres):
    """Nothing of ours is in it: the state is in a file of its own."""
    PACK = ""

    def prepare(self):
        self.postgres.run(self.DATABASE, "CREATE TABLE authors (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), "
                                         "name text NOT NULL)")

    def ops(self, sql):
        states = [path for path in self.home.rglob("*.db") if path.stat().st_size > 0]
        self.assertEqual(len(states), 1, states)
        base = sqlite3.connect(states[0])
        rows = base.execute(sql).fetchall()
        base.commit()
        base.close()
        return rows


if __name__ == "__main__":
    unittest.main()

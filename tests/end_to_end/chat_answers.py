"""Answers of a model, written by hand, as `alfred chat --replay` reads them."""
import json

UNDERSTOOD = {
    "processed_message": "add an author",
    "entity_mentions": [],
    "constraint_snapshot": {"new_constraints": [], "override_constraints": [], "reset_goal": False,
                            "goal_update": None, "source_phrases": []},
    "entity_curation": {"retain": [], "demote": [], "drop": [], "clear_all": False},
    "quick_mode": False,
    "quick_mode_confidence": "medium",
    "quick_intent": None,
    "quick_subdomain": None,
    "ambiguity": "clear",
    "default_assumptions": [],
    "conversation_phase": "exploring",
    "user_expressed": None,
}


def add_author(name, reply=None, waits=None):
    """One turn on the bookshelf that adds an author. `waits`: which answers take how many milliseconds; a long
    wait is for a test that ends it."""
    answers = [
        {"node": "understand", "text": UNDERSTOOD},
        {"node": "think", "text": {"goal": "Add " + name, "decision": "plan_direct", "proposal": None,
                                   "questions": [],
                                   "steps": [{"step_type": "write", "subdomain": "books", "group": 1,
                                              "description": "add the author", "batch": None}]}},
        {"node": "act", "text": {"action": "tool_call", "tool": "db_create",
                                 "params": {"table": "authors", "data": {"name": name}}}},
        {"node": "act", "text": {"action": "step_complete", "result_summary": "added " + name}},
        {"node": "reply", "text": reply or "Added **%s**." % name},
        {"node": "summarize", "text": {"assistant_summary": "Added " + name, "history_summary": None,
                                       "engagement_summary": None}},
    ]
    for place, wait_ms in (waits or {}).items():
        answers[place]["wait_ms"] = wait_ms
    return answers


def undo(waits=None):
    """One turn that takes the turn before back."""
    answers = add_author("nobody", reply="Taken back.", waits=waits)
    answers[2]["text"] = {"action": "tool_call", "tool": "db_undo", "params": {}}
    return answers


def lines(*turns):
    return "".join(json.dumps(answer) + "\n" for turn in turns for answer in turn)

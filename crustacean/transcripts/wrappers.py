"""What harnesses put around or in place of people's words, client by client: data only.

To teach crab another client, add a `Wrappers` for its name to `CLIENTS`. A rule is a plain string to look for, so that
cleaning stays linear whatever the text holds.
"""

from __future__ import annotations

from dataclasses import dataclass

SENTINEL = "crab-job:6f1d0c9a4b7e42f8"
"""Begins the first line of every prompt that crab sends to a model."""
CONTEXT_OPEN, CONTEXT_CLOSE = "<crab-memory>", "</crab-memory>"
"""What crab puts around the memory it gives to an agent."""


@dataclass(frozen=True, slots=True)
class Block:
    """A span that is cut out. start, end: its marks. tail: how far beyond `end` it goes ("" or up to this string).
    open_end: without an end it goes to the end of the text; else it then stays."""

    name: str
    start: str
    end: str
    tail: str = ""
    open_end: bool = False


def tags(name: str, *words: str) -> tuple[Block, ...]:
    """Blocks `<word>...</word>` and `<word attributes>...</word>`."""
    bare = tuple(Block(name, f"<{word}>", f"</{word}>") for word in words)
    return bare + tuple(Block(name, f"<{word} ", f"</{word}>") for word in words)


@dataclass(frozen=True, slots=True)
class Wrappers:
    """The rules of one client.

    blocks: cut out of anyone's text. lines: beginnings of lines that are cut, name -> strings.
    said_by_harness: beginnings of a "person's" text that is none, name -> strings.
    silent: an agent's whole answer that means "nothing". agent_notes: beginnings of an "agent's" text that is none.
    marks: strings that are simply taken away.
    """

    blocks: tuple[Block, ...] = ()
    lines: tuple[tuple[str, tuple[str, ...]], ...] = ()
    said_by_harness: tuple[tuple[str, tuple[str, ...]], ...] = ()
    silent: frozenset[str] = frozenset()
    agent_notes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    marks: tuple[str, ...] = ()


MEMORY_BLOCKS = (
    Block("memory context", CONTEXT_OPEN, CONTEXT_CLOSE, open_end=True),
    *tags(
        "memory context",
        "relevant-memories",
        "relevant_memories",
        "active_memory_plugin",
        "memory-context",
        "memory_context",
        "memories",
        "recalled-memories",
        "supermemory-context",
        "claude-mem-context",
        "mem0-context",
        "hindsight_memories",
    ),
)
"""Memory that a memory tool put into a conversation: to take it in again would feed the memory with itself."""
SLOTS = (
    "[WHO THEY ARE TO YOU]",
    "[ANOMALY FLAGS - PAY ATTENTION]",
    "[ASKER CONTEXT]",
    "[SITUATIONAL CONTEXT]",
)
"""Headings of crab's own context; each goes with the lines below it, up to a blank one."""

COMMON = Wrappers(blocks=MEMORY_BLOCKS)

OPENCLAW = Wrappers(
    blocks=(
        Block(
            "internal context",
            "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
            "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
            open_end=True,
        ),
        Block(
            "external content",
            "SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED",
            "<<<END_EXTERNAL_UNTRUSTED_CONTENT",
            ">>>",
            open_end=True,
        ),
        Block(
            "external content",
            "<<<EXTERNAL_UNTRUSTED_CONTENT",
            "<<<END_EXTERNAL_UNTRUSTED_CONTENT",
            ">>>",
            open_end=True,
        ),
        Block(
            "internal context",
            "<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>",
            "<<<END_UNTRUSTED_CHILD_RESULT>>>",
            open_end=True,
        ),
        *tags("thinking", "think", "thinking", "thought", "antthinking"),
        Block("replied message", "[Replying to ", "[/Replying]"),
        Block("thread starter", "[Thread starter - for context]", "[/Thread starter]"),
    ),
    lines=(
        ("system line", ("System: [", "System (untrusted): [")),
        ("delivery hint", ("Delivery: to send a message, use", "Delivery: Final assistant text is not automatically")),
        ("delivery hint", ("To send an image back, prefer the message tool",)),
        ("media note", ("[media attached",)),
    ),
    said_by_harness=(
        (
            "heartbeat poll",
            (
                "[OpenClaw heartbeat poll]",
                "Read HEARTBEAT.md if it exists",
                "Run the following periodic tasks (only those due based on their intervals)",
                "A scheduled reminder has been triggered.",
                "An async command you ran earlier has completed",
            ),
        ),
        ("memory flush", ("Pre-compaction memory flush",)),
        ("cron prompt", ("[cron:",)),
        ("subagent task", ("[Subagent Context]", "[Subagent Task]")),
        ("message of another session", ("[Inter-session message]", "Agent-to-agent ")),
        (
            "internal prompt",
            (
                "[System Message]",
                "[Internal task completion event]",
                "OpenClaw runtime context",
                "OpenClaw runtime event.",
                "Continue the OpenClaw runtime event.",
                "A new session was started via /new or /reset",
                "Continue where you left off. The previous",
            ),
        ),
        ("memory job", ("Write a dream diary entry from these memory fragments",)),
    ),
    silent=frozenset({"HEARTBEAT_OK", "NO_REPLY", "ANNOUNCE_SKIP", "REPLY_SKIP"}),
    agent_notes=(("agent failure", ("⚠️ Agent failed", "⚠️ Agent couldn't")),),
    marks=("<final>", "</final>"),
)

CLAUDE_CODE = Wrappers(
    blocks=(
        *tags("system reminder", "system-reminder"),
        *tags("command wrapper", "command-name", "command-message", "command-args", "command-contents"),
        *tags("command output", "local-command-stdout", "local-command-stderr", "local-command-caveat"),
        *tags("command output", "bash-input", "bash-stdout", "bash-stderr"),
        *tags("editor context", "ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics"),
        *tags("task notification", "task-notification"),
        *tags("hook output", "user-prompt-submit-hook", "session-start-hook", "post-tool-use-hook"),
        Block("interruption", "[Request interrupted by user", "]"),
        Block("image mark", "[Image #", "]"),
        Block("image mark", "[Image: source: ", "]"),
    ),
    said_by_harness=(
        ("compaction summary", ("This session is being continued from a previous conversation",)),
        ("command output", ("Caveat: The messages below were generated by the user while running local commands",)),
        ("subagent report", ("[Subagent hand-back]",)),
        ("hook output", ("Stop hook feedback:", "PreToolUse:", "PostToolUse:", "UserPromptSubmit hook")),
    ),
    silent=frozenset({"No response requested.", "(no content)"}),
    agent_notes=(("agent failure", ("API Error:", "Prompt is too long", "Credit balance is too low")),),
)

CLIENTS: dict[str, Wrappers] = {"openclaw": OPENCLAW, "claude-code": CLAUDE_CODE}

MEMORY_TOOLS = frozenset(
    "memory memory_search memory_get memory_store memory_forget memory_recall memory_query search_memory"
    " search_memories search_nodes get_memory get_memories list_memories add_memory add_memories save_memory"
    " store_memory recall remember supermemory mem_search".split()
)
MEMORY_SERVERS = frozenset(
    "crab memory mem0 supermemory claude_mem memory_core crab_memory hindsight openmemory".split()
)

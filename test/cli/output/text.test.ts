import { describe, expect, it, vi } from "vitest";
import { size } from "../../../src/bytes/quantity.js";
import { table } from "../../../src/cli/output/table.js";
import { Stopped, Terminal } from "../../../src/cli/output/terminal.js";
import { clip, inline, printable, short } from "../../../src/cli/output/text.js";
import { Sink } from "../run.js";

describe("readable text", () => {
  it("shortens ids, and names the size of other long bytes", () => {
    expect(short("ab".repeat(32))).toBe("abababab…");
    expect(short("ab".repeat(1044))).toBe("abababab… (1,044 bytes)");
    expect(short("11111111111111111111111111111111")).toBe("11111111…");
    expect(short("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG")).toBe("JEKNVnkb…");
    expect(short("deadbeef")).toBe("deadbeef");
    expect(short("268088579008321583434794140274500292791")).toBe("268088579008321583434794140274500292791");
    expect(short("")).toBe('""');
  });

  it("escapes characters that control the terminal", () => {
    expect(printable('a"b\\c')).toBe('a"b\\\\c');
    expect(printable("\u001b[2J\r\n")).toBe("\\u001b[2J\\r\\n");
    expect(printable("\u009b2J\u202etxt\u200b")).toBe("\\u009b2J\\u202etxt\\u200b");
    expect(printable("Zoë 東京")).toBe("Zoë 東京");
  });

  it("shows a decoded value in one line, long lists by their length", () => {
    expect(inline({ kind: "Add", list: ["a", "b", "c", "d"], none: null })).toBe(
      "{kind: Add, list: [a, b, c, … 4 in all], none: null}",
    );
  });

  it("aligns columns and cuts lines", () => {
    expect(
      table(
        [
          ["a", "1", "x"],
          ["bcd", "20", ""],
        ],
        [1],
      ),
    ).toEqual(["a     1  x", "bcd  20"]);
    expect(clip("abcdef", 4)).toBe("abc…");
    expect(clip("abcdef", undefined)).toBe("abcdef");
    expect([size(9_999), size(10_000), size(12_340_000)]).toEqual(["9,999 bytes", "10 kB", "12.3 MB"]);
  });
});

describe("progress", () => {
  function played(out: Sink, err: Sink, prints: "rows" | "nothing" | "quiet") {
    const now = vi.spyOn(performance, "now");
    now.mockReturnValue(0);
    const progress = new Terminal(out, err).progress("scan", prints);
    return {
      at(milliseconds: number, rows: number, share?: number) {
        now.mockReturnValue(milliseconds);
        const total = share === undefined ? undefined : rows / share;
        progress.show({ done: rows, total, unit: "rows" });
      },
      [Symbol.dispose]() {
        progress[Symbol.dispose]();
        now.mockRestore();
      },
    };
  }

  it("does not show itself in a file or a pipe, nor to a user who wants it quiet", () => {
    for (const [err, prints] of [
      [new Sink(), "nothing"],
      [new Sink(80), "quiet"],
    ] as const) {
      using progress = played(new Sink(), err, prints);
      progress.at(5_000, 1_000);
      expect(err.text).toBe("");
    }
  });

  it("has the share of the total, and an estimate once it can be one", () => {
    const err = new Sink(80);
    using progress = played(new Sink(), err, "nothing");
    for (const [at, share] of [
      [1_000, 0.001],
      [2_000, 0.2],
      [4_000, 0.04],
      [5_000, 0.5],
    ] as const)
      progress.at(at, 1_000, share);
    expect(err.text.split("\r\u001b[Kscan: 1,000 rows, ").slice(1)).toEqual([
      "0%, 1,000 rows/s",
      "20%, 500 rows/s",
      "4%, 250 rows/s",
      "50%, 200 rows/s, 5 s left",
    ]);
  });

  it("writes over itself on a terminal and leaves nothing", () => {
    const err = new Sink(80);
    {
      using progress = played(new Sink(), err, "rows");
      progress.at(1_000, 1_000);
      progress.at(1_300, 2_000);
    }
    expect(err.text).toBe(
      "\r\u001b[Kscan: 1,000 rows, 1,000 rows/s\r\u001b[Kscan: 2,000 rows, 1,538 rows/s\r\u001b[K",
    );
  });

  it("does not come between rows on a terminal", () => {
    const err = new Sink(80);
    using progress = played(new Sink(80), err, "rows");
    progress.at(5_000, 1_000);
    expect(err.text).toBe("");
  });
});

describe("a terminal", () => {
  it("does not accumulate listeners", async () => {
    const out = new Sink();
    const terminal = new Terminal(out, new Sink());
    for (let line = 0; line < 2_000; line++) await terminal.line("x".repeat(1_000));
    await terminal.flush();
    expect(out.text).toHaveLength(2_000 * 1_001);
    for (const event of ["error", "drain", "close"]) expect(out.listenerCount(event)).toBeLessThanOrEqual(1);
  });

  it("is stopped while it waits for a reader", async () => {
    const out = new Sink();
    out._write = () => undefined; // nobody reads stdout
    const terminal = new Terminal(out, new Sink());
    await terminal.line("a row");
    const waiting = terminal.flush();
    terminal.stop(130);
    await expect(waiting).rejects.toBeInstanceOf(Stopped);
    await expect(waiting).rejects.toMatchObject({ status: 130 });
  });

  it("ends quietly when the reader has gone, and with a message when the disk is full", async () => {
    for (const [code, status, said] of [
      ["EPIPE", 0, ""],
      ["ENOSPC", 3, "merostore: stdout cannot be written: no room\n"],
    ] as const) {
      const out = new Sink();
      const err = new Sink();
      out._write = (_chunk, _encoding, done: (error?: Error) => void) =>
        done(Object.assign(new Error("no room"), { code }));
      const terminal = new Terminal(out, err);
      await terminal.line("a row");
      await expect(terminal.flush()).rejects.toMatchObject({ status });
      expect(err.text).toBe(said);
    }
  });
});

/** Shows the list of the worker, and tells it what the user changes. The fragment of the address has the server, the token and the key. */
const worker = new Worker("worker.js", { type: "module" });
const change = (name, ...given) => worker.postMessage({ name, given });
const list = document.querySelector("ul");
const rows = new Map();

function rowOf(id) {
  const row = document.createElement("li");
  const done = Object.assign(document.createElement("input"), { type: "checkbox", ariaLabel: "Done" });
  const text = Object.assign(document.createElement("input"), { ariaLabel: "Item" });
  const remove = Object.assign(document.createElement("button"), { textContent: "✕", ariaLabel: "Remove" });
  done.addEventListener("change", () => change("done", id, done.checked));
  text.addEventListener("change", () => change("text", id, text.value));
  remove.addEventListener("click", () => change("remove", id));
  row.append(done, text, remove);
  return { row, done, text };
}

function show(items) {
  const shown = new Set(items.map(({ id }) => id));
  for (const [id, { row }] of rows)
    if (!shown.has(id)) {
      row.remove();
      rows.delete(id);
    }
  for (const [at, { id, text, done = false }] of items.entries()) {
    const found = rows.get(id) ?? rowOf(id);
    rows.set(id, found);
    if (document.activeElement !== found.text) found.text.value = text;
    found.done.checked = done;
    found.row.className = done ? "done" : "";
    if (list.children[at] !== found.row) list.insertBefore(found.row, list.children[at] ?? null);
  }
}

worker.addEventListener("message", ({ data: { items, status } }) => {
  if (items !== undefined) show(items);
  if (status !== undefined) document.querySelector("#status").textContent = status;
});
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { text } = event.target.elements;
  change("add", text.value);
  text.value = "";
});
change("open", Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

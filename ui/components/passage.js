// The text of a passage, for whoever shows one. Everything is set as text, never as markup.

const element = (tag, className, text) => {
  const node = document.createElement(tag);
  node.className = className;
  if (text) node.textContent = text;
  return node;
};

const pieces = (parts) => parts.map(([text, quoted]) => element(quoted ? "mark" : "span", "", text));

// Cuts pieces wherever `by` stands in them: a list of lists of pieces.
function cut(parts, by) {
  const found = [[]];
  for (const [text, quoted] of parts) {
    const [first, ...others] = text.split(by);
    found.at(-1).push([first, quoted]);
    found.push(...others.map((other) => [[other, quoted]]));
  }
  return found;
}

// The text of a passage; rows of a table (cells parted by « | », as documents are read) stand in columns.
const CELLS = " | ";
function written(parts) {
  const isRow = (line) => line.some(([text]) => text.includes(CELLS));
  const lines = cut(parts, "\n");
  if (!lines.some(isRow)) return pieces(parts);
  const nodes = [];
  for (const line of lines) {
    if (!isRow(line)) {
      const words = element("div", "line");
      words.append(...pieces(line));
      nodes.push(words);
      continue;
    }
    if (nodes.at(-1)?.tagName !== "TABLE") nodes.push(element("table", "rows"));
    const row = nodes.at(-1).insertRow();
    for (const cell of cut(line, CELLS)) row.insertCell().append(...pieces(cell));
  }
  return nodes;
}

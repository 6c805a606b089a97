// Shows an answer and opens its sources, entirely in the browser. `data.html` was made by ui/markup.py and holds only
// inert tags; every other value is set as text.

const element = (tag, className, text) => {
  const node = document.createElement(tag);
  node.className = className;
  if (text) node.textContent = text;
  return node;
};

function card(source, labels, close) {
  const node = element("section", "card");
  node.dataset.n = source.n;
  node.tabIndex = -1;
  node.setAttribute("aria-label", source.open);
  const head = element("div", "card-head");
  head.append(element("span", "marker", String(source.n)));
  const names = element("div", "names");
  names.append(element("strong", "title", source.title || source.file));
  const file = element("div", "file", [source.file, source.place].filter(Boolean).join(" · "));
  file.title = source.path;
  names.append(file);
  const button = element("button", "close", labels.close);
  button.type = "button";
  button.addEventListener("click", close);
  head.append(names, button);
  node.append(head);
  const passage = element("blockquote", "passage");
  passage.tabIndex = 0;
  for (const [text, quoted] of source.parts) passage.append(element(quoted ? "mark" : "span", "", text));
  node.append(passage);
  return node;
}

function chip(source) {
  const node = element("button", "chip");
  node.type = "button";
  node.dataset.n = source.n;
  node.append(element("span", "marker", String(source.n)), element("span", "chip-file", source.file));
  if (source.page) node.append(element("span", "chip-page", source.page));
  return node;
}

export default function ({ data, parentElement }) {
  const answer = parentElement.querySelector(".answer");
  const area = parentElement.querySelector(".sources");
  const version = JSON.stringify(data);
  if (answer.dataset.version === version) return; // a rerun with the same answer keeps the open source
  answer.dataset.version = version;
  answer.innerHTML = data.html;
  area.replaceChildren();
  if (!data.sources.length) return;

  const chips = element("div", "chips");
  chips.setAttribute("role", "group");
  chips.setAttribute("aria-label", data.labels.heading);
  const shelf = element("div", "shelf");
  chips.append(...data.sources.map(chip));
  area.append(chips, shelf);

  const sources = new Map(data.sources.map((source) => [String(source.n), source]));
  const openers = [...answer.querySelectorAll("button.marker"), ...chips.querySelectorAll("button")];
  let opener = null;

  const mark = (n) => openers.forEach((node) => node.setAttribute("aria-expanded", String(node.dataset.n === n)));
  const close = () => {
    shelf.replaceChildren();
    mark(null);
    if (opener) opener.focus();
    opener = null;
  };
  const open = (node) => {
    const n = node.dataset.n;
    if (node.getAttribute("aria-expanded") === "true") return close();
    opener = node;
    const shown = card(sources.get(n), data.labels, close);
    shelf.replaceChildren(shown);
    mark(n);
    shown.focus({ preventScroll: true });
    const passage = shown.querySelector(".passage");
    const quote = shown.querySelector("mark");
    if (quote) passage.scrollTop = quote.offsetTop - passage.offsetTop - 24;
    shown.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };

  mark(null);
  for (const node of openers) {
    node.setAttribute("aria-label", sources.get(node.dataset.n).open);
    node.addEventListener("click", () => open(node));
  }
  shelf.addEventListener("keydown", (event) => event.key === "Escape" && close());
}

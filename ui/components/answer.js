// Shows an answer and opens its sources, entirely in the browser. `data.html` was made by ui/markup.py and holds only
// inert tags; every other value is set as text.

// A page that is not served over HTTPS has no clipboard of its own, except on this computer.
function typed(words) {
  const area = element("textarea", "");
  area.value = words;
  area.style.cssText = "position: fixed; opacity: 0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("copy"));
}

const SAID_MS = 2500;
function copier(words, label, labels) {
  const node = element("button", "action", label);
  node.type = "button";
  node.setAttribute("aria-live", "polite");
  const say = (said) => {
    node.textContent = said;
    node.focus();
    setTimeout(() => (node.textContent = label), SAID_MS);
  };
  node.addEventListener("click", () => {
    const writing = navigator.clipboard ? navigator.clipboard.writeText(words) : typed(words);
    writing.then(() => say(labels.copy_done), () => say(labels.copy_failed));
  });
  return node;
}

// Read aloud by the browser itself, where it has a voice of the page's language that needs no service.
const voices = () => window.speechSynthesis?.getVoices() ?? [];
const ourVoice = () =>
  voices().find((voice) => voice.localService && voice.lang.startsWith(document.documentElement.lang.slice(0, 2)));
function speaker(answer, labels) {
  const node = element("button", "action", labels.listen);
  node.type = "button";
  const quiet = () => (node.textContent = labels.listen);
  node.addEventListener("click", () => {
    const wasSpeaking = speechSynthesis.speaking;
    speechSynthesis.cancel();
    if (wasSpeaking && node.textContent === labels.quiet) return quiet();
    const said = answer.cloneNode(true);
    said.querySelectorAll(".marker, .unsupported, .card").forEach((part) => part.remove());
    const speech = new SpeechSynthesisUtterance(said.textContent);
    Object.assign(speech, { voice: ourVoice(), lang: ourVoice().lang, onend: quiet, onerror: quiet });
    speechSynthesis.speak(speech);
    node.textContent = labels.quiet;
  });
  const show = () => (node.hidden = !ourVoice());
  show();
  window.speechSynthesis?.addEventListener("voiceschanged", show);
  return node;
}

function card(source, labels, close, read) {
  const node = element("section", "card");
  node.dataset.n = source.n;
  node.tabIndex = -1;
  node.setAttribute("aria-label", source.open);
  const head = element("div", "card-head");
  head.append(element("span", "marker", String(source.n)));
  const names = element("div", "names");
  names.append(element("strong", "title", source.title || source.file));
  const below = source.title ? [source.file, source.place] : [source.place];
  const file = element("div", "file", below.filter(Boolean).join(" · "));
  file.title = source.path;
  names.append(file);
  if (source.state) names.append(element("div", "state", source.state));
  const button = element("button", "close", labels.close);
  button.type = "button";
  button.addEventListener("click", close);
  head.append(names, button);
  node.append(head);
  const passage = element("div", "passage");
  passage.tabIndex = 0;
  passage.setAttribute("role", "group");
  passage.setAttribute("aria-label", labels.passage);
  for (const excerpt of source.excerpts) {
    const part = element("div", "excerpt");
    if (excerpt.place) part.append(element("div", "file", excerpt.place));
    part.append(...written(excerpt.parts));
    passage.append(part);
  }
  const actions = element("div", "actions");
  if (source.address) {
    const address = element("a", "action", labels.document);
    address.href = source.address;
    address.target = "_blank";
    address.rel = "noopener";
    address.addEventListener("click", (event) => {  // with a key held it opens as any link does
      if (!read || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      read(source.n);
    });
    actions.append(address);
  }
  actions.append(copier(source.copy, labels.copy_quote, labels));
  node.append(passage, actions);
  return node;
}

function opener({ n, at }, label) {
  const node = element("button", label ? "opener" : "opener bare");
  node.type = "button";
  node.dataset.n = n;
  node.dataset.at = at;
  node.append(element("span", "marker", String(n)));
  if (label) node.append(element("span", "label", label));
  return node;
}

// Each document is named once; below it, each place once, with the numbers that cite it.
function listed(document_) {
  const node = element("div", "document");
  const name = element("div", "document-name", document_.name);
  name.title = document_.path;
  const chips = element("div", "chips");
  for (const { label, numbers } of document_.places) {
    const chip = element("span", "chip");
    chip.title = label;
    chip.append(...numbers.map((each, place) => opener(each, place === numbers.length - 1 ? label : "")));
    chips.append(chip);
  }
  node.append(name, chips);
  return node;
}

// A source may be quoted from several of its excerpts: a marker is for the one whose words stand before it.
const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const TELLING = 40; // letters of a quote that are looked for
function excerptAt(node, source) {
  const before = document.createRange();
  before.setStart(node.closest("p, li, td, blockquote, .answer"), 0);
  before.setEndBefore(node);
  const said = letters(before.toString());
  const quoted = source.excerpts.map(({ parts }) => parts.filter(([, quote]) => quote).map(([text]) => letters(text)));
  const places = quoted.map((quotes) => Math.max(-1, ...quotes.map((quote) => said.lastIndexOf(quote.slice(0, TELLING)))));
  const nearest = Math.max(...places);
  return nearest < 0 ? Math.max(0, quoted.findIndex((quotes) => quotes.length)) : places.indexOf(nearest);
}

// A source opens where it was asked for: below the paragraph, inside the list item of its marker, or below its document.
function place(node, shown, answer) {
  const item = node.closest("li");
  if (!answer.contains(node)) return node.closest(".document").append(shown);
  if (item) return item.append(shown);
  let block = node;
  while (block.parentElement !== answer && block.parentElement.tagName !== "DETAILS") block = block.parentElement;
  block.after(shown);
}

// Where an answer is quotes alone, the first answers; the others open below it.
function fold(answer, also) {
  const blocks = [...answer.children];
  const first = blocks.findIndex((block) => block.querySelector("button.marker"));
  if (!also || first < 0 || first === blocks.length - 1) return;
  const rest = element("details", "also");
  rest.append(element("summary", "", also), ...blocks.slice(first + 1));
  answer.append(rest);
}

// A dagger stands at each sentence that its source does not support; one line below says so.
function explainDoubts(answer, area, labels) {
  const doubts = answer.querySelectorAll(".unsupported");
  for (const doubt of doubts) {
    doubt.title = labels.unsupported;
    doubt.setAttribute("role", "img");
    doubt.setAttribute("aria-label", labels.unsupported);
  }
  if (doubts.length) area.append(element("p", "legend", `† ${labels.unsupported}`));
}

// The page follows its end when it grows, unless it was scrolled away from it: then it stays where the reader is.
const NOTICED_MS = 60;
function withoutFollowing(node, grow) {
  const scroller = scrollParent(node);
  if (!scroller) return grow();
  scroller.scrollTop -= 4;
  setTimeout(grow, NOTICED_MS);
}

// Where the page followed its end all the same (a slow computer), what was opened comes back into sight.
const [GROWN_MS, MARGIN_PIXELS] = [500, 64];
function showBeginning(node) {
  const scroller = scrollParent(node);
  if (!scroller) return;
  const hidden = scroller.getBoundingClientRect().top + MARGIN_PIXELS - node.getBoundingClientRect().top;
  if (hidden > 0) scroller.scrollBy({ top: -hidden });
}

// The question box lies over the end of the page: what comes into sight ends above it.
const GAP_PIXELS = 12;
function keepAboveBox(node) {
  const box = document.querySelector('[data-testid="stBottom"]');
  if (box) node.style.scrollMarginBottom = `${box.offsetHeight + GAP_PIXELS}px`;
}

function scrollParent(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

// An answer that arrived at once is read from its question on, not from its end.
function reveal(host) {
  const message = host.closest('[data-testid="stChatMessage"]');
  const messages = [...document.querySelectorAll('[data-testid="stChatMessage"]')];
  const question = messages[messages.indexOf(message) - 1];
  if (question) requestAnimationFrame(() => question.scrollIntoView({ block: "start" }));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const answer = parentElement.querySelector(".answer");
  const area = parentElement.querySelector(".sources");
  const version = JSON.stringify([data.html, data.sources, data.documents]);
  if (answer.dataset.version === version) return; // a rerun with the same answer keeps the open source
  answer.dataset.version = version;
  if (data.reveal) reveal(parentElement.host);
  answer.innerHTML = data.html;
  fold(answer, data.also);
  area.replaceChildren();
  explainDoubts(answer, area, data.labels);
  const actions = element("div", "actions");
  actions.append(copier(data.copy, data.labels.copy_answer, data.labels), speaker(answer, data.labels));
  if (!data.sources.length) return area.append(actions);

  const list = element("div", "documents");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", data.labels.heading);
  list.append(...data.documents.map(listed));
  area.append(list, actions);

  const sources = new Map(data.sources.map((source) => [String(source.n), source]));
  const openers = [...answer.querySelectorAll("button.marker"), ...list.querySelectorAll("button")];
  let openedBy = null;
  let shown = null;

  const isSame = (node, other) => node.dataset.n === other?.dataset.n && node.dataset.at === other.dataset.at;
  const mark = (by) => openers.forEach((node) => node.setAttribute("aria-expanded", String(isSame(node, by))));
  const close = () => {
    shown.remove();
    shown = null;
    mark(null);
    openedBy.focus();
  };
  const open = (node) => {
    const n = node.dataset.n;
    if (node.getAttribute("aria-expanded") === "true") return close();
    if (shown) shown.remove();
    openedBy = node;
    const opened = card(sources.get(n), data.labels, close, data.beside && ((which) => setTriggerValue("read", which)));
    shown = opened;
    opened.addEventListener("keydown", (event) => event.key === "Escape" && close());
    mark(node);
    withoutFollowing(node, () => {
      if (shown !== opened) return; // closed, or another one opened, meanwhile
      place(node, opened, answer);
      const passage = opened.querySelector(".passage");
      const quote = opened.querySelectorAll(".excerpt")[node.dataset.at].querySelector("mark");
      if (quote) passage.scrollTop = quote.offsetTop - passage.offsetTop - 24;
      opened.focus({ preventScroll: true });
      keepAboveBox(opened);
      opened.scrollIntoView({ block: "nearest", behavior: "smooth" });
      setTimeout(() => shown === opened && showBeginning(opened), GROWN_MS);
    });
  };

  for (const node of openers) {
    node.dataset.at ??= excerptAt(node, sources.get(node.dataset.n));
    node.setAttribute("aria-label", sources.get(node.dataset.n).open);
    node.addEventListener("click", () => open(node));
  }
  mark(null);
}

// Replaces Streamlit's own English, by exact match, in names and short texts. What people and documents wrote is left alone.

const NAMES = ["aria-label", "title", "placeholder"];
const OURS = ".legajo-plain, .legajo-live, .legajo-uploads, .legajo-table, textarea, input, style, script";

function replaceNames(node, words) {
  for (const name of NAMES) {
    const word = words[node.getAttribute(name)];
    if (word) node.setAttribute(name, word);
  }
}

function replaceText(node, words) {
  const word = words[node.nodeValue.trim()];
  if (word && !node.parentElement?.closest(OURS)) node.nodeValue = word;
}

function replaceAll(root, words) {
  if (root.nodeType === Node.TEXT_NODE) return replaceText(root, words);
  if (root.nodeType !== Node.ELEMENT_NODE) return;
  replaceNames(root, words);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) replaceText(node, words);
    else replaceNames(node, words);
  }
}

let observer = null;

export default function ({ data }) {
  document.documentElement.lang = data.language;
  if (observer) return;
  const words = Object.assign(Object.create(null), data.words);
  replaceAll(document.body, words);
  observer = new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") replaceNames(change.target, words);
      else if (change.type === "characterData") replaceText(change.target, words);
      else change.addedNodes.forEach((node) => replaceAll(node, words));
    }
  });
  observer.observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: NAMES,
  });
  return () => {
    observer.disconnect();
    observer = null;
  };
}

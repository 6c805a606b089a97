// A document beside its answer: a page as a picture with what is quoted marked on it, or a stretch of its text.
// Everything is set as text or as a number, never as markup.

function pictured({ picture, marks, alt }) {
  const page = element("div", "page");
  const image = element("img", "");
  image.src = `data:image/png;base64,${picture}`;
  image.alt = alt;
  page.append(image);
  for (const { left, top, width, height } of marks) {
    const mark = element("mark", "on-page");
    const [x, y, w, h] = [left, top, width, height].map((part) => `${100 * part}%`);
    Object.assign(mark.style, { left: x, top: y, width: w, height: h });
    page.append(mark);
  }
  const frame = element("div", "frame");
  Object.assign(frame, { tabIndex: 0, role: "group", ariaLabel: alt });
  frame.append(page);
  return [frame];
}

const stretch = ({ passages }) =>
  passages.map(({ heading, page, parts }) => {
    const node = element("section", "passage");
    if (heading) node.append(element("h3", "", heading));
    if (page) node.append(element("p", "where", page));
    const words = element("div", "words");
    words.append(...written(parts));
    node.append(words);
    return node;
  });

export default function ({ data, parentElement }) {
  const area = parentElement.querySelector(".reader");
  const version = JSON.stringify(data);
  if (area.dataset.version === version) return;
  area.dataset.version = version;
  area.replaceChildren(...(data.picture ? pictured(data) : stretch(data)));
  const mark = area.querySelector("mark");
  const show = () => mark?.scrollIntoView({ block: "center", inline: "start" });
  const image = area.querySelector("img");
  if (image) image.decode().then(show, show);
  else requestAnimationFrame(show);
}

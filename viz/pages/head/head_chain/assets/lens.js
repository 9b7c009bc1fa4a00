import { fillIn, make } from "../../../../components/javascript/dom.js";
import { number } from "../../../../components/javascript/numbers.js";
import { signed } from "./drawing.js";

/** A query as all pages name it: in the decoder, by the piece that its step writes. */
export function queryName(s) {
  return s.queryStack === "decoder" ? (s.queries[s.query + 1] ?? "</s>") : s.queries[s.query];
}

/** What one key contributes: its products with the query, and its share of z. */
function contribution(s, at) {
  const { arrays, keys } = s;
  const width = arrays.q.shape[0];
  const part = (name) => arrays[name].values.subarray(at * width, (at + 1) * width);
  const [q, k, v, z] = [arrays.q.values, part("k"), part("v"), arrays.z.values];
  const weight = arrays.weights.values[at];
  const products = Array.from(q, (value, i) => value * k[i]);
  const shares = Array.from(v, (value) => value * weight);
  const names = { query: queryName(s), key: keys[at] };
  return { q, k, v, z, weight, products, shares, names, score: number(arrays.dots.values[at]) };
}

/** The products of one key as bars under the strips of q and k, beside the scores. */
export function glance(s, at) {
  const { q, k, products, names, score } = contribution(s, at);
  const most = Math.max(...products.map(Math.abs), 1e-9);
  const strip = (name, values, full, own) => [
    make("span", { class: `strip-name ${own}` }, name),
    make(
      "div",
      { class: "strip-cells" },
      ...Array.from(values, (value) => make("i", { style: `background: ${signed(s.colours, value, full)}` })),
    ),
  ];
  const bars = products.map((value) => {
    const share = (Math.abs(value) / most) * 50;
    const from = value < 0 ? "top" : "bottom";
    const style = `background: ${signed(s.colours, value, most)}; height: calc(${share}% * var(--rise, 1)); ${from}: 50%`;
    return make("span", {}, make("i", { style }));
  });
  return [
    ...strip("q", q, s.arrays.q.most, "q"),
    ...strip("k", k, s.arrays.k.most, "k"),
    make("span", { class: "strip-name" }, "q × k"),
    make("div", { class: "bars" }, ...bars),
    make(
      "div",
      { class: "glance-foot" },
      make("span", { class: "glance-title" }, fillIn(s.words[s.queryStack === "decoder" ? "linkWritten" : "link"], names)),
      make("span", { class: "glance-sum" }, fillIn(s.words.sum, { score })),
    ),
  ];
}

/** A table with a column for each dimension; rows are [name, values, size with full colour, class]. */
function cells(s, heading, rows) {
  const names = rows.map(([name, , , own]) => make("span", { class: own }, name));
  const count = rows[0][1].length;
  const columns = Array.from({ length: count }, (_, i) =>
    make(
      "div",
      { class: "cell" },
      make("em", {}, String(i + 1)),
      ...rows.map(([, values, most, own]) => {
        const style = `background: ${signed(s.colours, values[i], most, 0.5)}`;
        return make("span", { class: own, style }, number(values[i]));
      }),
    ),
  );
  const first = make("div", { class: "cell names" }, make("em", {}, "i"), ...names);
  return make("section", {}, make("h3", {}, heading), make("div", { class: "cells" }, first, ...columns));
}

/** The tables of one key: its products, number by number, and what it adds to z. */
export function magnifier(s, at) {
  const { words, arrays } = s;
  const { q, k, v, z, weight, products, shares, names, score } = contribution(s, at);
  const share = number(weight);
  const [why, gives] = s.queryStack === "decoder" ? ["productsWritten", "givesWritten"] : ["products", "gives"];
  return [
    cells(s, fillIn(words[why], { ...names, score }), [
      ["q", q, arrays.q.most, "q"],
      ["k", k, arrays.k.most, "k"],
      ["q × k", products, Math.max(...products.map(Math.abs)), "product"],
    ]),
    cells(s, fillIn(words[gives], { ...names, weight: share }), [
      ["v", v, arrays.v.most, "v"],
      [`${share} v`, shares, arrays.z.most, "product"],
      ["z", z, arrays.z.most, "z"],
    ]),
  ];
}

/** Announce the chosen key: the chain and the tables are two components, with the formulas between. */
export function tell(s, at) {
  window.headChain = { s, at };
  window.dispatchEvent(new Event("head-chain"));
}

export function told(show) {
  window.addEventListener("head-chain", show);
  if (window.headChain) show();
  return () => window.removeEventListener("head-chain", show);
}

'use strict';
// What reports and the daemon's page build documents with: elements, colours, numbers, tables. Texts may be
// hostile: they become text, never markup.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') {
      node.style.cssText = value;  // a policy that forbids style attributes allows this
    } else {
      node.setAttribute(name, value);
    }
  }
  node.append(...children);
  return node;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Three decimal places, or three significant digits below 0.1.
function digits(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0 || Math.abs(value) >= 0.1) return value.toFixed(3);
  return String(Number(value.toPrecision(3)));
}
const counted = value => value.toLocaleString('en');
const percent = value => `${digits(value)} %`;

// A cell is a text or a node; an array is the content of one cell, and a <th> or <td> is the cell itself.
function table(caption, head, rows) {
  const asCell = (cell, i, isHead) => {
    if (cell instanceof HTMLTableCellElement) return cell;
    const scope = isHead ? {scope: 'col'} : i === 0 ? {scope: 'row'} : {};
    return element(isHead || i === 0 ? 'th' : 'td', scope, ...(Array.isArray(cell) ? cell : [cell]));
  };
  const row = (cells, isHead) => element('tr', {}, ...cells.map((cell, i) => asCell(cell, i, isHead)));
  // A wide table scrolls; with a tabindex the keyboard can scroll it too.
  return element(
      'div', {class: 'wide', role: 'region', 'aria-label': caption, tabindex: 0},
      element(
          'table', {}, element('caption', {}, caption), element('thead', {}, row(head, true)),
          element('tbody', {}, ...rows.map(cells => row(cells, false)))));
}

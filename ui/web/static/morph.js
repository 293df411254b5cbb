// Updates a part of the page to match another, and keeps every element that is in both, with its
// focus, choices, open state and scroll position.

const keyOf = n => n.nodeType === 1 ? n.id || n.dataset.digit || n.dataset.spot || n.dataset.call || '' : ''
const alike = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b)

function attributes(have, want) {
  for (const { name } of [...have.attributes]) {
    if (want.hasAttribute(name) || name === 'open' && have.nodeName === 'DETAILS') continue
    have.removeAttribute(name)
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value)
  }
}

function node(have, want) {
  if (have.nodeType !== 1) {
    if (have.data !== want.data) have.data = want.data
    return
  }
  attributes(have, want)
  children(have, want)
}

function children(have, want) {
  const wanted = new Set([...want.children].map(keyOf))
  let at = have.firstChild
  for (const fresh of [...want.childNodes]) {
    const found = keyOf(fresh) && [...have.children].find(c => alike(c, fresh))
    if (found && at && (at === found || at.compareDocumentPosition(found) & 4)) { // it follows
      while (at !== found) {
        const next = at.nextSibling
        if (!wanted.has(keyOf(at)) || !keyOf(at)) at.remove()
        at = next
      }
    } else if (found) {
      have.insertBefore(found, at) // it was passed over
      at = found
    }
    if (at && alike(at, fresh)) {
      const next = at.nextSibling
      node(at, fresh)
      at = next
    } else {
      have.insertBefore(fresh, at)
    }
  }
  while (at) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
}

/** Updates the content of an element to match that of another one, which is consumed. */
export function morph(have, want) {
  const focused = have.contains(document.activeElement)
  children(have, want)
  return focused && !have.contains(document.activeElement) // the focus was lost
}

/** Does the same with HTML text. */
export function morphTo(have, html) {
  const t = document.createElement('template')
  t.innerHTML = html
  return morph(have, t.content)
}

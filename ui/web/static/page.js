// Runs on every page: buttons copy and share links, and parts that need script are shown.

const root = document.documentElement

/** Shows the parts that work in this browser. */
export function dress(part = document) {
  for (const b of part.querySelectorAll('[data-share]')) b.hidden = !navigator.share
  for (const i of part.querySelectorAll('input[value^="/"][readonly]')) i.value = absolute(i.value)
}

/** Returns the full link of a path. */
function absolute(path) {
  return new URL(path, document.getElementById('table')?.dataset.origin ?? location.href).href
}

/** Announces texts to screen readers one after the other, so that none is lost. */
export function say(text) {
  const at = document.getElementById('say')
  if (!at || !text) return
  const p = document.createElement('p')
  p.textContent = text
  at.append(p)
  while (at.children.length > 5) at.firstChild.remove()
}

/** Shows and announces an error. It stays; plain information has its own place. */
export function warn(text, known) {
  const at = document.getElementById('alert')
  if (!at || at.textContent === (text || '')) return
  const p = document.createElement('p')
  p.textContent = text || ''
  for (const c of ['still', 'kind']) at.classList.toggle(c, !!known)
  at.replaceChildren(...text ? [p] : [])
}

async function copy(button, text) {
  const was = button.textContent
  try {
    await navigator.clipboard.writeText(text)
  } catch { // not allowed, or not over https
    const area = document.createElement('textarea')
    area.value = text
    button.after(area)
    area.select()
    document.execCommand('copy')
    area.remove()
    button.focus()
  }
  button.textContent = root.dataset.copied
  say(root.dataset.copied)
  setTimeout(() => { button.textContent = was }, 2000)
}

/** Shares a text with a link through the system, or else copies it to the clipboard. */
function share(button, text, url) {
  if (navigator.share) navigator.share({ text, url }).catch(() => {})
  else copy(button, text + '\n' + url)
}

document.addEventListener('click', e => {
  const button = e.target.closest('[data-copy], [data-share], [data-link]')
  if (!button) return
  const { copy: from, share: shared, text, link } = button.dataset
  const input = document.getElementById(from || shared)
  if (from) copy(button, input.value)
  else share(button, text, absolute(link ?? input.value))
})

// An open menu closes with a tap elsewhere and with Escape.
addEventListener('click', e => {
  const menu = document.querySelector('details.more[open]')
  if (menu && !menu.contains(e.target)) menu.open = false
})
addEventListener('keydown', e => {
  const menu = document.querySelector('details.more[open]')
  if (e.key !== 'Escape' || !menu) return
  menu.open = false
  menu.firstElementChild.focus()
})

root.classList.add('js')
dress()

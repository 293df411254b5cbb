// What every page has: links are copied and shared by a button, and what needs script is shown.

const root = document.documentElement

/** Shows in a part of the page what works here. */
export function dress(part = document) {
  for (const b of part.querySelectorAll('[data-share]')) b.hidden = !navigator.share
  for (const i of part.querySelectorAll('input[value^="/"][readonly]')) i.value = absolute(i.value)
}

/** Returns a path as a link that others can follow. */
function absolute(path) {
  return new URL(path, document.getElementById('table')?.dataset.origin ?? location.href).href
}

/** Says something to whoever hears the page and does not see it: one thing after the other, so that none is lost. */
export function say(text) {
  const at = document.getElementById('say')
  if (!at || !text) return
  const p = document.createElement('p')
  p.textContent = text
  at.append(p)
  while (at.children.length > 5) at.firstChild.remove()
}

/** Tells everybody what went wrong; nothing takes it back. What is only to be known has a place of its own. */
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

/** Hands a text with a link to another program, or to the clipboard where there is no other way. */
function share(button, text, url) {
  if (navigator.share) navigator.share({ text, url }).catch(() => {})
  else copy(button, text + '\n' + url)
}

document.addEventListener('click', e => {
  const button = e.target.closest('[data-copy], [data-share], [data-tell]')
  if (!button) return
  const { copy: from, share: shared, tell, text, link } = button.dataset
  const input = document.getElementById(from || shared)
  if (from) copy(button, input.value)
  else share(button, tell ?? text, absolute(link ?? input.value))
})

root.classList.add('js')
dress()

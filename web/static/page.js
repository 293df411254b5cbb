// What every page has: links are copied and shared by a button, and what needs script is shown.

const root = document.documentElement

/** Shows in a part of the page what works here. */
export function dress(part = document) {
  for (const b of part.querySelectorAll('[data-share]')) b.hidden = !navigator.share
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

/** Tells everybody what went wrong; nothing takes it back. */
export function warn(text) {
  const at = document.getElementById('alert')
  if (!at || at.textContent === (text || '')) return
  const p = document.createElement('p')
  p.textContent = text || ''
  at.replaceChildren(...text ? [p] : [])
}

async function copy(button, input) {
  const was = button.textContent
  try {
    await navigator.clipboard.writeText(input.value)
  } catch { // not allowed, or not over https
    input.select()
    document.execCommand('copy')
  }
  button.textContent = root.dataset.copied
  say(root.dataset.copied)
  setTimeout(() => { button.textContent = was }, 2000)
}

document.addEventListener('click', e => {
  const button = e.target.closest('[data-copy], [data-share]')
  if (!button) return
  const input = document.getElementById(button.dataset.copy || button.dataset.share)
  if (button.dataset.copy) copy(button, input)
  else navigator.share({ text: button.dataset.text, url: input.value }).catch(() => {})
})

root.classList.add('js')
dress()

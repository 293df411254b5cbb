// The home page: the sheet of choices opens over it.

import './page.js'

const sheet = document.getElementById('sheet')
const form = sheet.querySelector('form')

function open() {
  sheet.close()
  document.querySelector('.home').inert = false
  sheet.showModal()
}

document.getElementById('how').addEventListener('click', e => {
  if (e.ctrlKey || e.metaKey || e.shiftKey) return
  e.preventDefault()
  open()
})
sheet.addEventListener('click', e => { if (e.target === sheet) form.requestSubmit() }) // outside of it
sheet.addEventListener('close', () => form.reset())
if (sheet.open) open()

// A visitor may keep the game: then the offline site takes over when this server cannot be reached.
const keep = document.getElementById('keep')
const root = document.documentElement.dataset.keep
const kept = await navigator.serviceWorker?.getRegistration(root ?? '')
if (keep && navigator.serviceWorker && !kept?.active?.scriptURL.endsWith('/keep.js')) {
  keep.hidden = false
  keep.firstChild.onclick = async () => {
    await navigator.serviceWorker.register(root + 'keep.js', { scope: root })
    location.href = root + 'offline/'
  }
}
if (!keep && kept?.active?.scriptURL.endsWith('/keep.js')) kept.unregister()

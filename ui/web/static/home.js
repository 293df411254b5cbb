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

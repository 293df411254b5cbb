// A lesson takes one move at a time: the last of its choices plays it, and the answer comes after a moment.

import './page.js'

const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 400

document.addEventListener('change', e => {
  const form = e.target.closest('#move')
  if (form && [...form.querySelectorAll('[type=radio]')].every(i => i.checked)) form.requestSubmit(document.getElementById('play'))
})

document.addEventListener('submit', async e => {
  if (e.target.id !== 'move') return
  e.preventDefault()
  const to = e.target.action + '?' + new URLSearchParams(new FormData(e.target))
  const cell = e.target.querySelector('.target')
  cell.className = 'cell full last'
  cell.querySelector('.well').textContent = new FormData(e.target).get('digit')
  try {
    const [answer] = await Promise.all([fetch(to), new Promise(done => setTimeout(done, pause))])
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    document.querySelector('main').replaceWith(page.querySelector('main'))
    history.pushState(null, '', answer.url)
    document.getElementById('answer').focus({ preventScroll: true })
  } catch {
    location.href = to
  }
})

addEventListener('popstate', () => location.reload())

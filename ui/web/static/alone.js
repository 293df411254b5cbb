// Runs on every page of the offline site: games are kept for good, and a new version is offered on
// the home page alone.
const { serviceWorker, storage } = navigator

if (document.querySelector('.over')) storage?.persist?.()

async function offer() {
  const home = document.querySelector('.home')
  const worker = (await serviceWorker?.getRegistration())?.waiting
  if (!home || !worker) return
  home.insertAdjacentHTML('afterbegin', '<p class="fresh" role="status">A new version is ready. <button>Use it</button></p>')
  const [text, use] = home.firstChild.childNodes
  use.onclick = () => worker.postMessage('use')
  serviceWorker.oncontrollerchange = () => location.reload()
  serviceWorker.onmessage = ({ data }) => {
    if (data.busy) text.data = 'Close the other pages first. '
  }
}

offer()

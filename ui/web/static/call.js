// Alerts a player whose turn it is, as chosen in the settings. By default it does nothing.

const wanted = name => document.getElementById('set-' + name)?.checked

/** Alerts with a tone and, if the page is hidden, also by vibration and a notification. */
export function call(text, title) {
  if (wanted('sound')) tone()
  if (!document.hidden) return
  if (wanted('buzz')) navigator.vibrate?.(120)
  if (wanted('notice') && window.Notification?.permission === 'granted') {
    try { new Notification(text, { body: title, tag: 'duel' }) } catch { /* phones allow them only from service workers */ }
  }
}

let audio

function tone() {
  try {
    audio ??= new AudioContext()
    const at = audio.currentTime, sound = audio.createOscillator(), gain = audio.createGain()
    sound.frequency.value = 660
    gain.gain.setValueAtTime(.15, at)
    gain.gain.exponentialRampToValueAtTime(.001, at + .25)
    sound.connect(gain).connect(audio.destination)
    sound.start(at)
    sound.stop(at + .25)
  } catch { /* no sound available */ }
}

// Browsers ask for permission and play sound only after a click.
document.addEventListener('change', async e => {
  const box = e.target
  if (!box.checked) return
  if (box.id === 'set-sound') tone()
  if (box.id === 'set-buzz') navigator.vibrate?.(120)
  if (box.id === 'set-notice' && await window.Notification?.requestPermission() !== 'granted') {
    box.checked = false
    box.dispatchEvent(new Event('change'))
  }
})

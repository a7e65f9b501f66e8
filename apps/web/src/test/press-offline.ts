import { announcePresence } from '@tizara/contract/staff-platform'
import { vi } from 'vitest'

const MAX_BUTTONS = 150
const LETTERS = 'anriepuxz1'
const drawn = () => new Promise((go) => setTimeout(go, 30))
const isSeen = (one: Element) => one.checkVisibility() && one.closest('[inert]') === null

/** Returns a button's visible name and location. */
const nameOf = (button: Element) => (button.getAttribute('aria-label') ?? button.textContent).replaceAll(/\s+/g, ' ').trim()

/** Fills each empty field, so that no button is disabled by one. */
function fill(scope: Element): void {
  for (const field of scope.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type=checkbox], [type=file])')) {
    if (!isSeen(field) || field.value !== '' || field.type === 'datetime-local') continue
    const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(field, '12')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

async function keys(at: Element): Promise<void> {
  for (const key of LETTERS) {
    at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    const field = document.activeElement ?? document.body
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))
  }
  await drawn()
}

/**
 * Goes offline, then presses every button on the page and in its dialogs (disabled ones too), submits every form and presses every key.
 * @returns calls sent despite this that are not plain reads, and the pressed buttons
 */
export async function pressAllOffline(): Promise<{ sent: string[]; pressed: string[] }> {
  const sent: string[] = []
  const answered = globalThis.fetch
  const home = location.pathname + location.search
  const pressed = new Set<string>()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  globalThis.fetch = (input, init) => {
    const { method, url } = new Request(input, init)
    if (method !== 'GET' && !url.endsWith(announcePresence.path)) sent.push(`${method} ${new URL(url).pathname}`)
    return answered(input, init)
  }
  const back = async () => {
    // The URL may contain an open dialog.
    if (document.querySelector('dialog[open]') === null && location.pathname + location.search !== home)
      history.replaceState(null, '', home)
    await drawn()
  }
  dispatchEvent(new Event('offline'))
  try {
    await drawn()
    await keys(document.body)
    await back()
    for (let count = 0; count < MAX_BUTTONS; count += 1) {
      const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
      const scope = dialog ?? document.querySelector('aside + main') ?? document.body
      fill(scope)
      await drawn()
      for (const form of scope.querySelectorAll('form')) form.requestSubmit()
      const where = dialog === undefined ? '' : `${dialog.querySelector('h2')?.textContent ?? ''}: `
      const buttons = [...scope.querySelectorAll('button')].filter((one) => isSeen(one) && !pressed.has(where + nameOf(one)))
      // The last button of a dialog submits its form, and the first button closes the dialog.
      const next = dialog === undefined ? buttons[0] : buttons.at(-1)
      if (next === undefined && dialog === undefined) break
      if (next === undefined) dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
      else {
        pressed.add(where + nameOf(next))
        next.click()
      }
      await drawn()
      await back()
    }
    await keys(document.body)
  } finally {
    online.mockRestore()
    globalThis.fetch = answered
    dispatchEvent(new Event('online'))
  }
  return { sent, pressed: [...pressed] }
}

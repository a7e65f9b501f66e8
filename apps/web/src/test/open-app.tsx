import '../app/app.css'
import { vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../app/app.tsx'
import { createScreens } from '../app/screens.tsx'
import { clearScreens } from './clean-up.ts'
// Loaded in advance, so that no test depends on the speed of the server that sends the parts of the app.
import '../ui/message-box.tsx'
import '../ui/toast.tsx'

/** Browser storage for {@link openApp}: a member who has signed in before. */
export const signedIn = { tizaraUserToken: 'token', accessToken: 'token', userStatus: 'true' }

/**
 * Opens the whole app at a URL, as a new browser tab would.
 * @param stored the complete browser storage
 */
export async function openApp(path: string, stored: Readonly<Record<string, string>> = {}) {
  clearScreens()
  localStorage.clear()
  // Test files share one tab's storage, so this clears earlier data.
  sessionStorage.clear()
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  const screens = createScreens()
  // With fake timers, `loadPage` would never resolve.
  if (!vi.isFakeTimers()) await screens.loadPage(location.pathname)
  return await render(<App screens={screens} />)
}

/** Records the captcha text. Call it before the page opens. */
export function watchCaptcha() {
  const seen = { code: '', noise: 0, size: [0, 0] as [number, number] }
  const { clearRect, fillRect, fillText } = CanvasRenderingContext2D.prototype
  vi.spyOn(CanvasRenderingContext2D.prototype, 'clearRect').mockImplementation(function (this: CanvasRenderingContext2D, ...box) {
    seen.code = ''
    seen.noise = 0
    seen.size = [this.canvas.width, this.canvas.height]
    clearRect.apply(this, box)
  })
  vi.spyOn(CanvasRenderingContext2D.prototype, 'fillRect').mockImplementation(function (this: CanvasRenderingContext2D, ...dot) {
    seen.noise += 1
    fillRect.apply(this, dot)
  })
  vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockImplementation(function (this: CanvasRenderingContext2D, text, ...position) {
    seen.code += text
    fillText.call(this, text, ...position)
  })
  return seen
}

/** Types into the field with that label. */
export async function type(label: string, text: string): Promise<void> {
  await userEvent.fill(page.getByLabelText(label, { exact: true }), text)
}

/** Presses the button with that name. */
export async function press(name: string): Promise<void> {
  await userEvent.click(page.getByRole('button', { name, exact: true }))
}

export const messageBox = () => page.getByRole('alertdialog')

/** Returns the toasts' live region. */
export const notices = () => page.getByRole('region', { name: 'Notices' })

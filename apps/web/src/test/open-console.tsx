import { cleanup, render } from 'vitest-browser-react'
import { Console } from '../console/shell/console.tsx'
import { tidyUp } from './clean-up.ts'
import { signedIn } from './open-app.tsx'
// After the member app's styles (open-app.tsx), so that the console's own win.
import '../console/shell/console.css'

/** Opens the console at a URL, as a new browser tab of a signed-in staff member would. */
export async function openConsole(path: string): Promise<void> {
  await cleanup()
  tidyUp()
  for (const [key, value] of Object.entries(signedIn)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  await render(<Console go={() => undefined} />)
}

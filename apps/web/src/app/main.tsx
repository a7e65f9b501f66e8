import { readToken } from '../lib/session.ts'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'

// Every page but the sign-in page (spa.html). The bundler may put this entry into a file that the sign-in page loads too:
// what is drawn already belongs to main-sign-in.tsx, and an app that starts twice breaks the page.
if (document.getElementById('root')?.childElementCount === 0) {
  const screens = createScreens()
  // A member's page shows its frame until then (spa.html, docs/decisions/0008-first-look.md).
  if (readToken() === null) start(screens)
  else void screens.loadMemberPlace(location.pathname).then(() => start(screens))
}

import { loadLanguage } from '../lib/language.ts'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'

// Entry for every page except sign-in (spa.html). The bundler may merge it into a file that sign-in loads. A prerendered page belongs to
// main-sign-in.tsx, and starting twice breaks it.
if (document.getElementById('root')?.childElementCount === 0) {
  const screens = createScreens()
  // Until this has loaded, member pages show their frame (spa.html, docs/decisions/0008-prerendered-pages.md).
  void Promise.all([screens.loadPage(location.pathname), loadLanguage()]).then(() => start(screens))
}

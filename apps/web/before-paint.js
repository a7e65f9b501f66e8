// Inlined into both pages (vite.config.ts). It runs before the first paint: it applies the theme (ST-32) and forwards a
// signed-in member from the sign-in page (UI-SIGNIN-12, the same rule as mayForward). For a signed-in member it also preloads
// the files of the frame and of the screen, and starts the first calls. The build and the server fill in the file names.
// For another language than English it starts to load the texts (src/lib/language.ts).
// Without storage it does nothing.
try {
  const at = location.pathname
  const token = localStorage.getItem('tizaraUserToken')
  const isOpen = token !== null && localStorage.getItem('userStatus') === 'true'
  const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? ''
  if (localStorage.getItem('color-theme') === 'dark') document.body.className = 'dark'
  if ((at === '/' || at === '/auth/signin') && isOpen && localStorage.getItem('accessToken') !== null) {
    document.documentElement.setAttribute('data-forward', '')
    history.replaceState(null, '', '/dashboard')
  }
  const offered = JSON.parse(meta('languages') || '[]')
  for (const tag of [/(?:^|; )language=([\w-]+)/.exec(document.cookie)?.[1] ?? '', ...navigator.languages]) {
    const [main] = tag.split('-')
    if (main === 'en') break
    const found = offered.find(({ language }) => language === tag || language === main)
    if (found === undefined) continue
    Object.assign(document.documentElement, { lang: found.language, dir: found.direction })
    document.documentElement.setAttribute('data-language', '')
    globalThis.languageAhead = fetch(found.address).then((answer) => answer.json())
    globalThis.languageAhead.catch(() => undefined)
    break
  }
  if (token !== null) {
    const screenFiles = meta('screen-files')
    if (screenFiles !== '') document.documentElement.setAttribute('data-boot', '')
    const memberFiles = /* member files */ []
    for (const file of [...memberFiles, ...screenFiles.split(' ')]) {
      if (file === '') continue
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = file
      document.head.append(link)
    }
    // Starts the calls of every member page, and those for the top of the dashboard (src/lib/prefetched.ts).
    const base = (meta('api-base-url') || '/api/v1').replace(/[/]+$/, '')
    const atHome = location.pathname === '/dashboard' && isOpen
    const answers = {}
    for (const path of atHome ? ['/profile', '/user-wallet', '/general-settings'] : ['/profile']) {
      const headers = { Accept: 'application/json', Authorization: token }
      answers[base + path] = fetch(base + path, { headers, credentials: 'include', signal: AbortSignal.timeout(30_000) })
      answers[base + path].catch(() => undefined)
    }
    globalThis.answersAhead = { token, answers }
  }
} catch {
  // The page also works without this script.
}

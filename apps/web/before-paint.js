// Stands inline in both pages (vite.config.ts) and runs before the first paint: the theme (ST-32), a member's way past the
// sign-in page (UI-SIGNIN-12, the same rule as mayForward), and for who is signed in the code of the member's frame, whose
// files the build fills in, and of the screen, whose files the server names, and the first calls. Without storage the
// page goes without all that.
try {
  const at = location.pathname
  const token = localStorage.getItem('tizaraUserToken')
  const isOpen = token !== null && localStorage.getItem('userStatus') === 'true'
  if (localStorage.getItem('color-theme') === 'dark') document.body.className = 'dark'
  if ((at === '/' || at === '/auth/signin') && isOpen && localStorage.getItem('accessToken') !== null) {
    document.documentElement.setAttribute('data-forward', '')
    history.replaceState(null, '', '/dashboard')
  }
  if (token !== null) {
    const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? ''
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
    // What every member's page asks for, and the figures at the top of the dashboard (src/lib/ahead.ts).
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
  // The page works without.
}

import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

/** Chromium flags for a container: root user, no GPU, no network requests. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns Chromium's path: the system's, else from the npm package. */
export async function findBrowser(): Promise<string> {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file))
  return system ?? (await chromium.executablePath())
}

import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

/** Flags for Chromium in a container: as root, without a GPU, and silent on a closed network. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of a Chromium: the system's, else the one inside the npm package. */
export async function findBrowser(): Promise<string> {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file))
  return system ?? (await chromium.executablePath())
}

/** `npm run dev`: restarts the server and reloads the web app on changes. The app is at http://localhost:5173. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ensureInstalled } from './start.mjs'

readArguments(import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = path.join(root, 'node_modules', '.bin')
ensureInstalled()
// Links in mails and payments must open the web app that reloads on changes.
const env = { PUBLIC_URL: 'http://localhost:5173', ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
const children = [
  spawn(path.join(bin, 'node'), ['--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/main/serve.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
  spawn(path.join(bin, 'vite'), ['apps/web', '--config', 'apps/web/vite.config.ts', '--port', '5173', '--strictPort'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
]
const end = () => {
  for (const child of children) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
for (const child of children) child.on('exit', end)

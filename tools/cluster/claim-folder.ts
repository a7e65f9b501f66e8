import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeHosts } from './hosts.ts'

/** Folder of the cluster. A machine can run only one cluster, because the addresses are fixed. */
const FOLDER = path.join(tmpdir(), 'tizara-cluster')
const OWNER = path.join(FOLDER, 'owner')

/** Returns the process that owns the current cluster, or undefined. */
function ownerOf(): number | undefined {
  try {
    return Number(readFileSync(OWNER, 'utf8'))
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cluster')
  } catch {
    return false
  }
}

function clear(): void {
  removeHosts(FOLDER)
  rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Claims the folder for this process and removes files and processes of an earlier cluster. A watcher removes the cluster of this
 * process when the process ends or is killed.
 * @throws Error while another process has a cluster
 */
export async function claimFolder(): Promise<{ folder: string; removeCluster(): void }> {
  const owner = ownerOf()
  if (owner !== undefined && isRunning(owner)) throw new Error(`another cluster is running here: end process ${owner} first`)
  // Waits for the watcher of the earlier cluster, which may still remove files.
  for (let turn = 0; turn < 100 && existsSync(FOLDER); turn += 1) await pause(100)
  clear()
  mkdirSync(FOLDER)
  // Other accounts need access to their subfolders.
  chmodSync(FOLDER, 0o711)
  writeFileSync(OWNER, String(process.pid))
  // The watcher's input closes when this process ends for any reason.
  const watcher = spawn(process.execPath, [fileURLToPath(import.meta.url), String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  Reflect.get(watcher.stdin, 'unref')?.call(watcher.stdin)
  return {
    folder: FOLDER,
    removeCluster: () => {
      watcher.kill('SIGKILL')
      clear()
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const watched = Number(process.argv[2])
  process.stdin.resume()
  process.stdin.once('close', () => {
    if (ownerOf() === watched) clear()
  })
}

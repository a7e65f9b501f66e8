import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { hasSmallDisks, runOnSmallDisk } from '../../../../../test/small-disk.ts'

/**
 * Runs commands of an embedded instance on a full disk: each reports it, leaves no partial result, and works once there is space.
 */
const outside = mkdtempSync(path.join(tmpdir(), 'outside-'))
afterAll(() => rmSync(outside, { recursive: true, force: true }))

/** Shell functions: run a command with its exit code, and fill the disk except for some kilobytes. */
const SCRIPT = `exec 2>&1
run() { name=$1; shift; "$NODE" "$COMMANDS/$name.ts" "$@"; echo "$name ended with $?"; }
leave() { head -c $(( ($(df -k --output=avail "$FOLDER" | tail -n 1) - $1) * 1024 )) /dev/zero > "$FOLDER/ballast"; }
`

function onDisk(megabytes: number, script: string) {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    NODE: process.execPath,
    COMMANDS: path.join(import.meta.dirname, '../../../src/cli'),
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
  }
  const { output } = runOnSmallDisk(megabytes, `${SCRIPT}\n${script}`, { ...env, OUTSIDE: outside })
  return output.trimEnd().split('\n')
}

it('fails on a full disk with an error, and starts when there is space again', () => {
  if (!hasSmallDisks) return
  const output = onDisk(200, 'export DATA_DIR=$FOLDER/data; leave 0; run migrate; rm "$FOLDER/ballast"; run migrate')
  expect(output.slice(0, 2)).toEqual([expect.stringMatching(/^The disk of .*data is full: free some space/), 'migrate ended with 1'])
  expect(output.at(-1)).toBe('migrate ended with 0')
})

it('is not ready while the disk is full, and ready again when there is space', async () => {
  if (!hasSmallDisks) return
  const output = onDisk(
    250,
    `export SANDBOX=off DATA_DIR=$FOLDER/data PORT=${await freePort()} METRICS_PORT=${await freePort()}
     ready() { "$NODE" -e 'fetch("http://127.0.0.1:" + process.env.PORT + "/health/ready").then((reply) => console.log(reply.status), () => console.log(0))'; }
     until_ready() { for turn in $(seq 60); do status=$(ready); [ "$status" = "$1" ] && break; sleep 1; done; echo "ready: $status"; }
     run migrate; "$NODE" "$COMMANDS/../main/serve.ts" > "$OUTSIDE/log" & server=$!; until_ready 200
     leave 0; until_ready 503; rm "$FOLDER/ballast"; until_ready 200; kill $server; wait $server; echo "ended with $?"`,
  )
  expect(output.filter((line) => line.startsWith('ready: '))).toEqual(['ready: 200', 'ready: 503', 'ready: 200'])
  expect(output.at(-1)).toBe('ended with 0')
})

it('a backup on a full disk leaves no file', () => {
  if (!hasSmallDisks) return
  const output = onDisk(1, 'export DATA_DIR=$OUTSIDE/data; run migrate; run backup "$FOLDER/platform.tar.gz"; ls -A "$FOLDER"; echo end')
  expect(output.slice(-3)).toEqual(['ENOSPC: no space left on device, write', 'backup ended with 1', 'end'])
})

it('a restore on a full disk changes nothing', () => {
  if (!hasSmallDisks) return
  // Before it restores, it appends to the access journal what the current database has not saved there.
  const output = onDisk(
    250,
    `export DATA_DIR=$FOLDER/data; run migrate; run backup "$OUTSIDE/platform.tar.gz"; leave 40000
     run restore "$OUTSIDE/platform.tar.gz"; ls "$DATA_DIR" | grep -v ^access-; rm "$FOLDER/ballast"; run ledger-audit; run restore "$OUTSIDE/platform.tar.gz"`,
  )
  const from = output.indexOf('backup ended with 0')
  expect(output.slice(from + 1, from + 4)).toEqual([
    expect.stringMatching(/^The disk of .* is full\. Nothing was changed\.$/),
    'restore ended with 1',
    'database',
  ])
  expect(output).toContain('ledger-audit ended with 0')
  expect(output.at(-1)).toBe('restore ended with 0')
})

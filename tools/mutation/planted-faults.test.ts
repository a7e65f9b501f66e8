import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { chainFaults } from './chain-faults.ts'
import { economyFaults } from './economy-faults.ts'
import { outflowFaults } from './outflow-faults.ts'
import { payoutRuleFaults } from './payout-rule-faults.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it.each([...economyFaults, ...chainFaults, ...payoutRuleFaults, ...outflowFaults])(
  'the code that "$name" changes exists exactly once',
  ({ file, before, after }) => {
    const parts = readFileSync(path.join(root, file), 'utf8').split(before)
    expect(parts).toHaveLength(2)
    expect(after).not.toBe(before)
  },
)

import { defineConfig } from 'vitest/config'

const server = (name: string, exclude: string[] = []) => ({
  test: {
    name,
    include: ['apps/server/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...exclude],
    globalSetup: ['apps/server/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks' as const,
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: 'packages', include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], testTimeout: 30_000 } },
      server('server'),
      // What is about the lines to a server has nothing to test without one.
      server('server-embedded', ['**/*.postgres.test.ts']),
      { test: { name: 'web-unit', root: 'apps/web', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      'apps/web',
    ],
  },
})

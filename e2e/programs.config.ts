import { defineConfig } from '@playwright/test'
import journeys, { PROGRAMS, reportersOf } from './playwright.config.ts'

/** End-to-end tests of the programs and their mails, without the web app. */
export default defineConfig(journeys, { testMatch: PROGRAMS, testIgnore: [], reporter: reportersOf('programs') })

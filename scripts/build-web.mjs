/** Builds the web app for the steps that need it, unless the build is newer than its sources. */
import { ensureBuilt } from './start.mjs'

ensureBuilt()

/**
 * Stores the coin price and other settings of the operator (CO-47), and the end of the initial setup. Owns `setting` and
 * `setup_end`. Each change of settings adds an immutable version with a start time.
 */
export { applySettings, scheduleSettings } from './apply-settings.ts'
export {
  coinPriceDays,
  plannedSettings,
  currentSettings,
  MAX_PLANNED_SETTINGS,
  pricesWithin,
  rewardHoldDays,
  type Settings,
  settingsMark,
  settingsOf,
  tradeSettings,
  deferTradeSettings,
} from './settings.queries.ts'
export { endSetup, hasSetupEnded } from './setup-end.ts'
export { settingsRoutes } from './settings.routes.ts'

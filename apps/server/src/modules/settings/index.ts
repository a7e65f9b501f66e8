/**
 * Settings: the coin price and the other figures that the operator sets (CO-47). Owns `setting`; each change is a new
 * version with a start time, and a version is never changed.
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
  settingsLater,
  settingsMark,
  settingsOf,
} from './settings.queries.ts'
export { settingsRoutes } from './settings.routes.ts'

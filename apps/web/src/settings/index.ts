export { type AppConfig, completeAppConfig, readAppConfig, useAppConfig } from './app-config.ts'

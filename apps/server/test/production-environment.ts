/** The settings that production requires, without a database. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'platform@platform.example',
  PAYMENT_PROVIDER_URL: 'https://pay.example',
  PAYMENT_PROVIDER_SECRET: 'p'.repeat(40),
  PAYMENT_PROVIDER_KEY: 'the-key-of-the-provider',
  PAYMENT_INVOICE_HOSTS: 'pay.example',
  PUBLIC_URL: 'https://platform.example',
  TOKEN_SECRET: 't'.repeat(40),
  DATA_KEY: 'd'.repeat(40),
}

/** Explains a listen failure to the operator; undefined for other errors. */
export function listenError(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error && error.syscall === 'listen')) return undefined
  const [port, address] = ['port', 'address'].map((name) => String(Reflect.get(error, name) ?? '?'))
  const explanations: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. Stop the process that listens there (ss -ltnp), or change PORT or METRICS_PORT; API and worker need different ones.`,
    EACCES: `This user may not listen on port ${port}: set PORT and METRICS_PORT to 1024 or more, with a proxy in front.`,
    EADDRNOTAVAIL: `${address} is not an address of this machine: correct HOST or METRICS_HOST.`,
  }
  return explanations[String(error.code)]
}

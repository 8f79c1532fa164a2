/** Takes the collector's transitions for operators; pino's loggers fit. */
export interface CollectLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export const silentLogger: CollectLogger = { info: () => {}, warn: () => {} };

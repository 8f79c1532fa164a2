/** One setting: a flag, an environment variable, a type and what it is for. */
export interface SettingSpec {
  readonly flag: string;
  readonly env: string;
  readonly type: 'text' | 'integer' | 'list';
  readonly fallback?: string;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Masked by --print-config. */
  readonly secret?: boolean;
  /** Names what an operator runs: the demo, which is simulated, has its own or none, and leaves that alone. */
  readonly notInDemo?: true;
  /** Milliseconds that the service may take to end where this is given: what it has in hand is written first. */
  readonly stopMs?: number;
  readonly about: string;
}

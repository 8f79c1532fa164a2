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
  readonly about: string;
}

/** The admin port is this machine's alone. */
export const ADMIN_HOST = '127.0.0.1';

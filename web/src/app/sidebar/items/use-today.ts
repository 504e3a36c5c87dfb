import { useEffect, useState } from 'react';

/** The current date. Updates at each local midnight, and on wake-up after a sleep across midnight. */
export function useToday(): Date {
  const [today, setToday] = useState(() => new Date());
  useEffect(() => {
    const renew = () => setToday((known) => (known.toDateString() === new Date().toDateString() ? known : new Date()));
    const timer = setInterval(renew, 60_000);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, []);
  return today;
}

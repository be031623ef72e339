/** Entry of the app in the browser. */
import "./styles/app.css";
import "./app/app.tsx";
